import type { KubernetesObject } from '@kubernetes/client-node'
import { isNotFound } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { CLIENT_SECRET_TYPE, keptOf, NAMED, type KeptObject, type Namespaces } from './kept.ts'

export const clientsPath = ({ release }: Namespaces): string =>
  `/apis/rates.driveaway.dev/v1alpha1/namespaces/${release}/showroomclients`

/**
 * Reads all that a backup keeps of a release: clients, their Secrets, keys, and what was admitted; `secrets` names more
 * Secrets beside the clients. The clients are read first: a Secret without its client does no harm, a client without its
 * Secret would get another. Throws KubeApiError, and an Error for a Secret that is named and not there.
 */
export async function gather(kube: Kube, places: Namespaces, secrets: readonly string[]): Promise<KeptObject[]> {
  const clients = await listAll<KubernetesObject>(kube, { path: clientsPath(places) })
  const path = `/api/v1/namespaces/${places.clients}/secrets`
  const ofClients = await listAll<KubernetesObject>(kube, { path, fieldSelector: `type=${CLIENT_SECRET_TYPE}` })
  const named = await Promise.all(
    [...NAMED, ...secrets.map((name) => ({ kind: 'Secret' as const, name }))].map(async ({ kind, name }) => {
      const found = await kube.get({ apiVersion: 'v1', kind, metadata: { name, namespace: places.release } })
      if (!found && secrets.includes(name))
        throw new Error(`there is no Secret ${name} in the namespace ${places.release}`)
      return found ? [keptOf(found, 'release')] : []
    }),
  )
  // Secrets first, so that a restore that goes on while an operator runs finds the operator nothing to make anew.
  return [
    ...ofClients.items.map((secret) => keptOf(secret, 'clients')),
    ...named.flat(),
    ...clients.items.map((client) => keptOf(client, 'release')),
  ]
}

/** Whether the kinds of a release are there, without which no client can be restored. */
export async function hasKinds(kube: Kube, places: Namespaces): Promise<boolean> {
  try {
    await kube.page({ path: clientsPath(places), limit: 1 })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
