import type { KubernetesObject } from '@kubernetes/client-node'
import { CLIENT_SECRET_TYPE, type ShowroomClientSpec } from '#crds/showroom-client.ts'
import { SIGNING_KEYS_SECRET } from '#rates/published/format.ts'
import { isNotFound } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { keptOf, NAMED, nameOf, type KeptObject, type Namespaces } from './backup-objects.ts'

const clientsPath = ({ release }: Namespaces): string =>
  `/apis/rates.driveaway.dev/v1alpha1/namespaces/${release}/showroomclients`

/**
 * Reads everything that a backup keeps of a release: clients, their Secrets, keys, and what was admitted; `secrets`
 * names further Secrets. The clients are read first: a Secret without its client does no harm, but a client without its
 * Secret would be given another. Throws KubeApiError.
 */
export async function gather(kube: Kube, places: Namespaces, secrets: readonly string[]): Promise<KeptObject[]> {
  const clients = await listAll<KubernetesObject>(kube, { path: clientsPath(places) })
  const path = `/api/v1/namespaces/${places.clients}/secrets`
  const ofClients = await listAll<KubernetesObject>(kube, { path, fieldSelector: `type=${CLIENT_SECRET_TYPE}` })
  const named = await Promise.all(
    [...NAMED, ...secrets.map((name) => ({ kind: 'Secret' as const, name }))].map(async ({ kind, name }) => {
      const found = await kube.get({ apiVersion: 'v1', kind, metadata: { name, namespace: places.release } })
      return found ? [keptOf(found, 'release')] : []
    }),
  )
  // Secrets first: when an operator already runs during a restore, it finds every Secret and creates none.
  const all = [
    ...ofClients.items.map((secret) => keptOf(secret, 'clients')),
    ...named.flat(),
    ...clients.items.map((client) => keptOf(client, 'release')),
  ]
  // A named Secret may be kept already.
  return [...new Map(all.map((kept) => [nameOf(kept, places), kept])).values()]
}

/**
 * The Secrets, in words, without which a restored release differs from before: those of the clients, the signing keys,
 * and the named ones.
 */
export function lackingIn(objects: readonly KeptObject[], secrets: readonly string[]): string[] {
  const secretsOf = (of: keyof Namespaces) =>
    new Set(
      objects
        .filter(({ place, object }) => place === of && object.kind === 'Secret')
        .map((one) => one.object.metadata.name),
    )
  const [inRelease, inClients] = [secretsOf('release'), secretsOf('clients')]
  const ofClients = objects.flatMap(({ object: { kind, metadata, spec } }) => {
    if (kind !== 'ShowroomClient') return []
    const names = (spec as ShowroomClientSpec).credentials.flatMap(({ secretRef }) => secretRef?.name ?? [])
    return names.filter((name) => !inClients.has(name)).map((name) => `Secret ${name} of client ${metadata.name}`)
  })
  const own = [SIGNING_KEYS_SECRET, ...secrets].filter((name) => !inRelease.has(name))
  return [...own.map((name) => `Secret ${name}`), ...ofClients]
}

/** Whether the kinds of a release exist, without which no client can be restored. */
export async function hasKinds(kube: Kube, places: Namespaces): Promise<boolean> {
  try {
    await kube.page({ path: clientsPath(places), limit: 1 })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
