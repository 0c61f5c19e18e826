import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '#rates/checks/fault.ts'
import { BINDING_LIMIT, storedSize } from '#rates/published/binding-text.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import type { HashedSecret } from '#rates/published/hashed-secret.ts'
import { identityOf } from './identity.ts'
import { isBeingDeleted, type ShowroomClientObject } from './object.ts'

/** The hash of the Secret of that name for this client; undefined when the Secret cannot be used. */
export type SecretHash = (client: ShowroomClientObject, name: string) => HashedSecret | undefined

/** The binding that an object asks for. Pure. */
export function bindingOf(client: ShowroomClientObject, secretHash: SecretHash): ClientBinding {
  const { metadata, spec } = client
  const allowedWords = [...new Set(spec.inventory?.allowedWords)].sort()
  return {
    clientId: metadata.name,
    uid: identityOf(client),
    displayName: spec.displayName,
    showroomCodes: [...new Set(spec.showroomCodes)].sort(),
    grants: [...new Set(spec.grants)].sort(),
    suspended: spec.suspended === true || isBeingDeleted(client),
    secrets: spec.credentials.flatMap(({ secretRef }) => (secretRef && secretHash(client, secretRef.name)) ?? []),
    jwks: spec.credentials.flatMap(({ jwks }) => (jwks ? [{ keys: jwks.keys }] : [])),
    subjects: spec.credentials.flatMap(({ subject }) => subject ?? []),
    ...(allowedWords.length > 0 && { allowedWords }),
  }
}

/**
 * The rights that both the published binding and the new one grant: removals take effect whatever else is wrong with
 * the object, and nothing is added. Two hashes with the same salt are of the same secret; the newer hash is used, so a
 * replaced secret is refused. The result is never larger than the published binding, so it fits into the same shard.
 */
export function narrowed(published: ClientBinding, asked: ClientBinding): ClientBinding {
  const keys = asked.jwks.flatMap((set) => set.keys)
  const allowedWords = published.allowedWords?.filter((word) => asked.allowedWords?.includes(word))
  return {
    ...published,
    showroomCodes: published.showroomCodes.filter((code) => asked.showroomCodes.includes(code)),
    grants: published.grants.filter((grant) => asked.grants.includes(grant)),
    suspended: published.suspended || asked.suspended,
    secrets: published.secrets.flatMap(({ salt }) => asked.secrets.find((secret) => secret.salt === salt) ?? []),
    jwks: published.jwks
      .map((set) => ({ keys: set.keys.filter((key) => isAmong(key, keys)) }))
      .filter(({ keys }) => keys.length > 0),
    subjects: published.subjects.filter((subject) => isAmong(subject, asked.subjects)),
    ...(allowedWords && { allowedWords }),
  }
}

function isAmong(value: object, values: readonly object[]): boolean {
  return values.some((each) => isDeepStrictEqual(each, value))
}

/** The published object if the binding is equal, so that it need not be encoded again. */
export function asSame(before: ClientBinding | undefined, binding: ClientBinding): ClientBinding {
  return before && isDeepStrictEqual(before, binding) ? before : binding
}

/** A fault for each credential that makes the binding too large; the credentials before it, in their order, fit. */
export function sizeFaults(client: ShowroomClientObject, asked: ClientBinding, secretHash: SecretHash): Fault[] {
  const { credentials } = client.spec
  if (storedSize(asked) <= BINDING_LIMIT) return []
  return credentials.flatMap((_, at) => {
    const spec = { ...client.spec, credentials: credentials.slice(0, at + 1) }
    const size = storedSize(bindingOf({ ...client, spec }, secretHash))
    const message = `with this credential, the published form of the client has ${size} bytes; expected at most ${BINDING_LIMIT}`
    return size > BINDING_LIMIT ? [{ check: 'client-size', path: `credentials[${at}]`, message }] : []
  })
}
