import type { KubeConfig } from '@kubernetes/client-node'
import { apply, untilEstablished } from './apply.ts'
import { readManifests } from './manifests.ts'

/** Puts the kinds, the namespaces, the rights, the rate sets and the demo clients into the API server. */
export async function applyContent(kubeConfig: KubeConfig, root: string, say: (line: string) => void) {
  const kinds = readManifests(root, 'crds/manifests')
  await apply(kubeConfig, kinds)
  await untilEstablished(
    kubeConfig,
    kinds.filter(({ kind }) => kind === 'CustomResourceDefinition'),
  )
  await apply(kubeConfig, readManifests(root, 'tools/stack/rbac').sort(namespacesFirst))
  const rateSets = readManifests(root, 'rates/sets')
  await apply(kubeConfig, rateSets)
  const clients = readManifests(root, 'test/demo/clients')
  await apply(kubeConfig, clients)
  say(`applied ${kinds.length} kinds, ${rateSets.length} rate sets, ${clients.length} demo clients`)
}

/** Sorts namespaces before what lives in them. */
export function namespacesFirst(a: { kind?: string }, b: { kind?: string }): number {
  return Number(b.kind === 'Namespace') - Number(a.kind === 'Namespace')
}
