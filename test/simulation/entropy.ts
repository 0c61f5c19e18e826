import crypto, { createHash, createPrivateKey, createPublicKey, KeyObject, verify } from 'node:crypto'
import type { JsonWebKey, webcrypto } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { chanceOf, type Chance } from './schedule/chance.ts'
import { outside } from './schedule/outside.ts'

/**
 * Everything random of this process comes from one seed, and cryptography answers at once: the answers are those of
 * node:crypto, but WebCrypto would give them from another thread, at a moment that no seed decides.
 */
export interface Entropy {
  /** Begins again, for the next simulation. */
  begin(seed: number): void
}

/** PKCS #8 of an Ed25519 key, without the 32 bytes that make the key (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const ALGORITHM = { name: 'Ed25519' }

export function takeOverEntropy(): Entropy {
  let chance: Chance = chanceOf(0)
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => Math.floor(chance() * 256)))
  const uuid = () =>
    bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const keys = rememberedKeys()
  Object.assign(crypto, { randomBytes: bytes, randomUUID: uuid, ...keys.made })
  syncBuiltinESMExports()
  for (const [name, value] of Object.entries(subtleOf(bytes)))
    Object.defineProperty(globalThis.crypto.subtle, name, {
      value: done(value as (...given: unknown[]) => unknown),
      configurable: true,
    })
  const begin = (seed: number) => {
    chance = chanceOf(seed ^ 0x5eed)
    keys.forget()
  }
  return { begin }
}

/** Keys made once of each JWK: each reading of the same few would take a tenth of all the processor time. */
function rememberedKeys() {
  const known = new Map<string, KeyObject>()
  const once =
    <I>(kind: string, make: (input: I) => KeyObject) =>
    (input: I): KeyObject => {
      if (!isJwk(input)) return make(input)
      const name = `${kind} ${JSON.stringify(input.key)}`
      const key = known.get(name) ?? make(input)
      known.set(name, key)
      return key
    }
  const made = { createPublicKey: once('public', createPublicKey), createPrivateKey: once('private', createPrivateKey) }
  return { made, forget: () => known.clear() }
}

const isJwk = (input: unknown): input is { key: JsonWebKey } =>
  typeof input === 'object' && input !== null && (input as { format?: unknown }).format === 'jwk'

/** A job of node:crypto that is done at once looks, when it begins, like one for another thread. */
const done =
  <G extends unknown[], R>(work: (...given: G) => R) =>
  (...given: G): R =>
    outside.ours(() => work(...given))

export function newEd25519(bytes: (count: number) => Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, bytes(32)]), format: 'der', type: 'pkcs8' })
}

function subtleOf(bytes: (count: number) => Buffer) {
  const imported = new Map<string, webcrypto.CryptoKey>()
  const keyOf = (jwk: JsonWebKey, usages: webcrypto.KeyUsage[]) => {
    const key = jwk.d ? createPrivateKey({ key: jwk, format: 'jwk' }) : createPublicKey({ key: jwk, format: 'jwk' })
    return key.toCryptoKey(ALGORITHM, true, usages)
  }
  return {
    generateKey: async () => {
      const secret = newEd25519(bytes)
      const publicKey = createPublicKey(secret).toCryptoKey(ALGORITHM, true, ['verify'])
      return { privateKey: secret.toCryptoKey(ALGORITHM, true, ['sign']), publicKey }
    },
    importKey: async (...[, jwk, , , usages]: [string, JsonWebKey, object, boolean, webcrypto.KeyUsage[]]) => {
      const text = JSON.stringify([jwk, usages])
      const key = imported.get(text) ?? keyOf(jwk, usages)
      imported.set(text, key)
      return key
    },
    exportKey: async (_format: string, key: webcrypto.CryptoKey) => KeyObject.from(key).export({ format: 'jwk' }),
    digest: async (_algorithm: unknown, data: Uint8Array) => createHash('sha256').update(data).digest(),
    verify: async (_algorithm: unknown, key: webcrypto.CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      verify(null, data, KeyObject.from(key), signature),
  }
}
