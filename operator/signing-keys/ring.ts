import type { SigningKey } from '#rates/published/public-keys.ts'

export type { SigningKey }

/**
 * Whether only the public half of a key is left. Such a key verifies tokens, and no longer signs once a next key is
 * current.
 */
export function isLost({ jwk }: SigningKey): boolean {
  return typeof jwk['d'] !== 'string'
}

/**
 * The keys of the Secret, together with published keys that the Secret lacks: their private halves are lost, but tokens
 * that they signed are still valid. A lost current key stays current until the Secret has a current key, because API
 * processes sign with the copy in their memory. A lost next key is dropped: it has signed nothing.
 */
export function ringOf(secret: readonly SigningKey[], published: readonly SigningKey[]): SigningKey[] {
  const kids = new Set(secret.map(({ jwk }) => jwk['kid']))
  const current = secret.find(({ state }) => state === 'current')
  const lost = published.filter(({ state, jwk }) => state !== 'next' && !kids.has(jwk['kid']))
  return [...lost.map((key) => (current ? retired(key, current.since) : key)), ...secret]
}

/** The key as a previous one, replaced at that time by the Secret's current key. */
function retired(key: SigningKey, since: string): SigningKey {
  return key.state === 'current' ? { ...key, state: 'previous', since } : key
}
