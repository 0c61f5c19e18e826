import { exportJWK, generateKeyPair } from 'jose'
import { namedSpecs } from '#rates/files/compile.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import type { ReleaseKey } from '#rates/release/signed.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { writeBundle, type Circumstances, type SigningKey } from '#rates/release/write-bundle.ts'
import { committedFiles } from '../committed-files.ts'

/** 1 September 2026, noon in UTC, in seconds. */
export const SIGNED_AT = Date.parse('2026-09-01T12:00:00Z') / 1000

export const committedContent = () => contentOf(namedSpecs(committedFiles))

/** A new key of an environment: the half that signs, and the half that is published. */
export async function newReleaseKey(
  kid = 'r1',
  environment = 'staging',
): Promise<{ signs: SigningKey; published: ReleaseKey }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const { x = '' } = await exportJWK(publicKey)
  return { signs: { kid, key: privateKey }, published: { kty: 'OKP', crv: 'Ed25519', x, kid, environment } }
}

/** The bytes of a bundle of the committed rates. */
export function bundleOf(
  signs: SigningKey,
  change: Partial<Circumstances> = {},
  content = committedContent(),
): Promise<Uint8Array<ArrayBuffer>> {
  const circumstances = { environment: 'staging', iat: SIGNED_AT, engine: thisEngine(), attestations: {}, ...change }
  return writeBundle(content, circumstances, signs)
}
