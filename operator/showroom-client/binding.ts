import { isDeepStrictEqual } from 'node:util'
import type { ClientBinding } from '#rates/published/format.ts'
import type { HashedSecret } from '#rates/published/hashed-secret.ts'
import { identityOf } from './identity.ts'
import { isBeingDeleted, type ShowroomClientObject } from './object.ts'

/** The hash of the Secret of that name for this client; undefined when it cannot be used. */
export type SecretHash = (client: ShowroomClientObject, name: string) => HashedSecret | undefined

/** What an object asks for, in the form that is published; pure. */
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
 * What both the published binding and the new one allow: what takes rights away gets through whatever else is wrong,
 * and nothing is given. A secret is the same one by its salt; its newest hash counts, so that a replaced secret is out.
 * The result is never larger than what is published, so the shard that holds one has room for the other.
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

/** The published object where it says the same: what was encoded of it need not be encoded again. */
export function asSame(before: ClientBinding | undefined, binding: ClientBinding): ClientBinding {
  return before && isDeepStrictEqual(before, binding) ? before : binding
}
