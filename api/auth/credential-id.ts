import { digestOf } from '#rates/published/canonical.ts'
import type { ClientBinding } from '#rates/published/format.ts'

/** An id for one credential of a client (a hashed secret or a set of public keys) that reveals nothing about it. */
export function credentialId(credential: object): string {
  return digestOf(credential).slice('sha256:'.length, 'sha256:'.length + 32)
}

const idsOf = new WeakMap<ClientBinding, ReadonlySet<string>>()

/** Whether the client has the credential with this id now. */
export function hasCredential(client: ClientBinding, id: string): boolean {
  let ids = idsOf.get(client)
  if (!ids) {
    ids = allIds(client)
    idsOf.set(client, ids)
  }
  return ids.has(id)
}

function allIds(client: ClientBinding): ReadonlySet<string> {
  const keys = keysOf(client)
  return new Set([...client.secrets, ...keys.map((key) => [key]), keys].map(credentialId))
}

/** The public keys of a client, from all its key sets. */
export function keysOf({ jwks }: ClientBinding): Record<string, unknown>[] {
  return jwks.flatMap(({ keys }) => keys)
}

/** The credentials that may have verified an assertion: the key that the assertion names, else any key. */
export function keyCredential(client: ClientBinding, kid: string | undefined): Record<string, unknown>[] {
  const keys = keysOf(client)
  const named = keys.filter((key) => kid !== undefined && key['kid'] === kid)
  return named.length === 1 ? named : keys
}
