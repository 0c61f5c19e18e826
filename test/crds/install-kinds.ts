import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'
import { KINDS } from '#crds/outputs.ts'
import { API_VERSION } from '#crds/kind.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { collectionPathOf } from '#runtime/kube/resource-path.ts'
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
  // Listed by discovery a moment after they are served.
  for (const { kind, plural } of KINDS) {
    const reference = { apiVersion: API_VERSION, kind, metadata: { name: 'any', namespace: 'default' } }
    await waitFor(`${plural} to be served`, async () => {
      return (await requestKube(kubeConfig, { path: await collectionPathOf(kubeConfig, reference) })) !== undefined
    })
  }
}
