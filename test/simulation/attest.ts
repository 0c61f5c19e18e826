import { createPublicKey, sign } from 'node:crypto'
import type { AttestationClaims, Attested, TrustedKey } from '#rates/published/attestation.ts'
import { newEd25519 } from './entropy.ts'
import { outside } from './schedule/outside.ts'

/** Staging's key: the same in every simulation. */
const KEY = newEd25519((count) => Buffer.alloc(count, 7))
const PUBLIC = createPublicKey(KEY).toCryptoKey({ name: 'Ed25519' }, true, ['verify'])
const KID = 'staging-1'

export function trustedKeys(): TrustedKey[] {
  return [{ kid: KID, environment: 'staging', key: PUBLIC }]
}

/** An attestation as staging makes it, signed at once. */
export function signed(attested: Attested, now: number): string {
  // Clocks of operators may be wrong by minutes, and that is not what this is to show.
  const iat = Math.floor(now / 1000) - 3600
  const claims: AttestationClaims = { ...attested, environment: 'staging', iat }
  const parts = [{ alg: 'EdDSA', typ: 'driveaway-attestation+jwt', kid: KID }, claims]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = outside.ours(() => sign(null, Buffer.from(text), KEY))
  return `${text}.${signature.toString('base64url')}`
}
