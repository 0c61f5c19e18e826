import { readFileSync, writeFileSync } from 'node:fs'
import { exportJWK, generateKeyPair } from 'jose'
import { readSigningKey } from '../published/signing-key-file.ts'
import { publicKeysIn } from './public-keys.ts'
import type { ReleaseKey } from './signed.ts'
import type { SigningKey } from './write-bundle.ts'

/** The private key with which an environment signs bundles and receipts, and its public half. */
export interface OwnReleaseKey extends SigningKey {
  environment: string
  published: ReleaseKey
}

/** Writes a new private key into a new file that only its owner can read, and returns the public key. */
export async function writeReleaseKey(file: string, kid: string, environment: string): Promise<ReleaseKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { x = '', d } = await exportJWK(privateKey)
  const published = { kty: 'OKP', crv: 'Ed25519', x, kid, environment } as const
  writeFileSync(file, `${JSON.stringify({ ...published, d, purpose: 'release' })}\n`, { mode: 0o600, flag: 'wx' })
  return published
}

/**
 * Reads the private key of a file that `driveaway release-key` wrote; the errors that it throws never contain the
 * content of the file.
 */
export async function readReleaseKey(file: string): Promise<OwnReleaseKey> {
  const { kid, key } = await readSigningKey(file, 'release')
  const { x = '', environment = '' } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ReleaseKey>
  if (!isName(environment)) throw new Error(`${file} does not say of which environment the key is`)
  return { kid, key, environment, published: { kty: 'OKP', crv: 'Ed25519', x, kid, environment } }
}

/** Parses public release keys in JSON; throws an error that says which key is wrong and why. */
export function parseReleaseKeys(text: string): ReleaseKey[] {
  return publicKeysIn(valueOf(text))
}

/** What a text says in JSON; undefined where it is no JSON, which is no list of keys either. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 64
