import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'
import { applyObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { waitFor } from '../harness/wait-for.ts'

const root = join(import.meta.dirname, '../..')

/** Applies the kinds, the namespaces and the operator's rights, and waits until the kinds are served. */
export async function applySurroundings(kubeConfig: KubeConfig): Promise<void> {
  const files = globSync(['crds/manifests/*.yaml', 'tools/stack/namespaces.yaml', 'tools/stack/rbac/*.yaml'], {
    cwd: root,
  })
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => document.toJS() as KubernetesObject),
  )
  for (const object of objects.filter(Boolean).sort((a, b) => rank(a) - rank(b)))
    await waitFor(`${object.kind} ${object.metadata?.name}`, async () => {
      await applyObject(kubeConfig, object, { fieldManager: 'test', force: true })
      return true
    })
  // The server serves a kind a moment before its discovery names it, and the other way round.
  for (const path of ['', '/ratesets', '/showroomclients'])
    await waitFor(`rates.driveaway.dev${path} to be served`, () =>
      requestKube<object>(kubeConfig, { path: `/apis/rates.driveaway.dev/v1alpha1${path}` }),
    )
}

function rank({ kind }: KubernetesObject): number {
  return ['CustomResourceDefinition', 'Namespace', 'Role'].indexOf(kind ?? '') + 1 || 9
}
