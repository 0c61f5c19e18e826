import type { SigningKey } from '#rates/published/public-keys.ts'

export type { SigningKey }

/** Whether only the public half of a key is left: it verifies, and signs no more once a next key has taken over. */
export function isLost({ jwk }: SigningKey): boolean {
  return typeof jwk['d'] !== 'string'
}

/**
 * The keys of the Secret, and those that are published without being in it: their private halves are lost, their tokens
 * are not. A lost current key stays current, because API processes sign with the copy that they hold, until the Secret
 * has a current key; a lost next key has signed nothing.
 */
export function ringOf(secret: readonly SigningKey[], published: readonly SigningKey[]): SigningKey[] {
  const kids = new Set(secret.map(({ jwk }) => jwk['kid']))
  const current = secret.find(({ state }) => state === 'current')
  const lost = published.filter(({ state, jwk }) => state !== 'next' && !kids.has(jwk['kid']))
  return [...lost.map((key) => (current ? retired(key, current.since) : key)), ...secret]
}

/** A key that the Secret's current one has taken over from, at that moment. */
function retired(key: SigningKey, since: string): SigningKey {
  return key.state === 'current' ? { ...key, state: 'previous', since } : key
}
