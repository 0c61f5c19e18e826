import { readFileSync, writeFileSync } from 'node:fs'
import { exportJWK, generateKeyPair } from 'jose'
import { isDate } from '../engine/dates.ts'
import { readSigningKey } from '../published/signing-key-file.ts'
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

/**
 * Parses public release keys: a JSON list of JWKs, or `{ keys: [...] }`. Throws an error that says which key is wrong
 * and why.
 */
export function parseReleaseKeys(text: string): ReleaseKey[] {
  const keys = listIn(text)
  if (!Array.isArray(keys)) throw new Error('expected a JSON list of public keys, or an object with a list named keys')
  const read = keys.map((key: unknown, at) => publicKey((key ?? {}) as Record<string, unknown>, `[${at}]`))
  const twice = read.find(({ kid }, at) => read.findIndex((each) => each.kid === kid) !== at)
  if (twice) throw new Error(`two keys have the kid ${twice.kid}`)
  return read
}

function listIn(text: string): unknown {
  try {
    const value = JSON.parse(text) as { keys?: unknown } | null
    return Array.isArray(value) ? value : value?.keys
  } catch {
    return undefined
  }
}

function publicKey({ kty, crv, x, kid, environment, signsUntil, d }: Record<string, unknown>, at: string): ReleaseKey {
  if (d !== undefined)
    throw new Error(`${at} holds a private key: it is to be replaced, and only its public part listed`)
  if (!isName(kid)) throw new Error(`${at} has no kid of 1 to 64 characters`)
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || !/^[\w-]{43}$/.test(x))
    throw new Error(`${at} (${kid}) is not an Ed25519 public key`)
  if (!isName(environment)) throw new Error(`${at} (${kid}) does not say of which environment it is`)
  if (signsUntil === undefined) return { kty, crv, x, kid, environment }
  if (typeof signsUntil !== 'string' || !isDate(signsUntil))
    throw new Error(`${at} (${kid}) has a signsUntil that is no day, YYYY-MM-DD`)
  return { kty, crv, x, kid, environment, signsUntil }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 64
