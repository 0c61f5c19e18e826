import { importJWK, type CryptoKey, type JWK } from 'jose'
import { isDate } from '#rates/engine/dates.ts'
import type { TrustedKey } from '#rates/published/attestation.ts'
import type { EmergencyKey } from '#rates/published/emergency.ts'

/** The keys, and the faults of the entries that are not keys. */
export type ReadKeys = { keys: TrustedKey[]; faults: string[] }

type Entry = JWK & { environment?: unknown; signsUntil?: unknown }

const KID_LIMIT = 64

/**
 * Parses public attestation keys from a JSON list of JWKs (RFC 8037) that each have `kid` and `environment`; returns
 * all faults.
 */
export async function readTrustedKeys(text: string): Promise<ReadKeys> {
  const entries = parsed(text)
  if (!Array.isArray(entries)) return { keys: [], faults: ['expected a JSON list of public keys'] }
  return sorted(await Promise.all(entries.map((entry, at) => trustedKey(entry as Entry, at))))
}

/** Parses public keys for emergencies from a JSON list of JWKs that each have `kid`; returns all faults. */
export async function readEmergencyKeys(text: string): Promise<{ keys: EmergencyKey[]; faults: string[] }> {
  const entries = parsed(text)
  if (!Array.isArray(entries)) return { keys: [], faults: ['expected a JSON list of public keys'] }
  // These keys belong to no environment: a person signs with a key that no cluster stores.
  const read = await Promise.all(entries.map((entry: Entry, at) => trustedKey({ ...entry, environment: 'any' }, at)))
  const { keys, faults } = sorted(read)
  return { keys: keys.map(({ kid, key }) => ({ kid, key })), faults }
}

/** Separates keys from faults; a repeated kid is a fault, because signatures are looked up by kid. */
function sorted(read: readonly (TrustedKey | string)[]): ReadKeys {
  const faults = read.flatMap((each) => (typeof each === 'string' ? [each] : []))
  const keys = read.flatMap((each) => (typeof each === 'string' ? [] : [each]))
  const twice = keys.find(({ kid }, at) => keys.findIndex((each) => each.kid === kid) !== at)
  if (twice) faults.push(`two keys have the kid ${twice.kid}`)
  return { keys, faults }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function trustedKey(entry: Entry | null, at: number): Promise<TrustedKey | string> {
  const { kid, environment, d, signsUntil } = entry ?? {}
  if (d !== undefined) return `[${at}] contains a private key: replace the key, and list only its public part`
  if (!isName(kid)) return `[${at}] has no kid of 1 to ${KID_LIMIT} characters`
  if (!isName(environment)) return `[${at}] (${kid}) has no environment`
  if (signsUntil !== undefined && !isDay(signsUntil))
    return `[${at}] (${kid}) has a signsUntil that is not a day YYYY-MM-DD`
  const key = await publicKeyIn(entry)
  if (!key) return `[${at}] (${kid}) is not an Ed25519 public key`
  return { kid, environment, key, ...(signsUntil !== undefined && { signsUntil }) }
}

async function publicKeyIn(entry: Entry | null): Promise<CryptoKey | undefined> {
  const { kty, crv, x } = entry ?? {}
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined
  try {
    return (await importJWK({ kty, crv, x }, 'EdDSA')) as CryptoKey
  } catch {
    return undefined
  }
}

const isDay = (value: unknown): value is string => typeof value === 'string' && isDate(value)

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= KID_LIMIT
}
