import { isDate } from '../engine/dates.ts'
import type { ReleaseKey } from './signed.ts'

/**
 * The public release keys in a list of JWKs, or in `{ keys: [...] }`; throws an error that says which key is wrong and
 * why.
 */
export function publicKeysIn(value: unknown): ReleaseKey[] {
  const keys: unknown = Array.isArray(value) ? value : (value as { keys?: unknown } | null | undefined)?.keys
  if (!Array.isArray(keys)) throw new Error('expected a JSON list of public keys, or an object with a list named keys')
  const read = keys.map((key: unknown, at) => publicKey((key ?? {}) as Record<string, unknown>, `[${at}]`))
  const twice = read.find(({ kid }, at) => read.findIndex((each) => each.kid === kid) !== at)
  if (twice) throw new Error(`two keys have the kid ${twice.kid}`)
  return read
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
