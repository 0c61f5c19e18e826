import { join } from 'node:path'
import { apply, untilEstablished, type Kubectl } from './apply.ts'
import { namespace } from './programs.ts'

/** Applies the kinds, the namespaces, the rights, the rate sets and the demo clients. */
export async function applyContent(kubectl: Kubectl, root: string, say: (line: string) => void) {
  await apply(kubectl, join(root, 'crds/manifests'))
  await untilEstablished(kubectl)
  await apply(kubectl, join(root, 'tools/stack/namespaces.yaml'))
  await apply(kubectl, join(root, 'tools/stack/rbac'))
  const rateSets = await apply(kubectl, join(root, 'rates/sets'), namespace)
  const clients = await apply(kubectl, join(root, 'test/demo/clients'), namespace)
  say(`applied the kinds, ${rateSets} rate sets and ${clients} demo clients`)
}
