import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'
import { KINDS } from '#crds/outputs.ts'
import { API_VERSION } from '#crds/kind.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { waitFor } from '../harness/wait-for.ts'

const manifests = join(import.meta.dirname, '../../crds/manifests')

/** Applies the committed manifests, and returns when the kinds are served. */
export async function installKinds(kubeConfig: KubeConfig): Promise<void> {
  for (const file of readdirSync(manifests)) {
    const documents = parseAllDocuments(readFileSync(join(manifests, file), 'utf8'))
    for (const document of documents) {
      await applyObject(kubeConfig, document.toJS() as KubernetesObject, { fieldManager: 'test' })
    }
  }
  for (const { plural } of KINDS) {
    const path = `/apis/${API_VERSION}/namespaces/default/${plural}`
    await waitFor(`${plural} to be served`, async () => (await requestKube(kubeConfig, { path })) !== undefined)
  }
}
