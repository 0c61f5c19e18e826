import { compactVerify, CompactSign, decodeProtectedHeader, importJWK, type CryptoKey, type JWK } from 'jose'
import { pack, unpack } from './packed.ts'

/** The kinds of content that the operator signs; a signature for one kind is not valid for another. */
export type SignedKind = 'notice' | 'recipient'

export interface SigningKey {
  kid: string
  key: CryptoKey
}

/** A signing key with its public half, which verifies what was signed. */
export interface SigningPair extends SigningKey {
  publicKey: CryptoKey
}

/** Thrown when a text has no valid signature of the operator; people read the message. */
export class SignatureFault extends Error {
  override name = 'SignatureFault'
}

const ALGORITHM = 'EdDSA'
const typeOf = (kind: SignedKind) => `driveaway-${kind}+jws`

/** Signs a value as a compact JWS (RFC 7515) over its compressed JSON. */
export function sign(kind: SignedKind, value: unknown, { kid, key }: SigningKey): Promise<string> {
  return new CompactSign(pack(value)).setProtectedHeader({ alg: ALGORITHM, typ: typeOf(kind), kid }).sign(key)
}

/** The signed value, if one of the keys signed it as this kind; otherwise throws SignatureFault. */
export async function verified<T>(kind: SignedKind, token: string, keys: readonly SigningKey[]): Promise<T> {
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    const trusted = keys.find((each) => each.kid === kid)
    if (!trusted) throw new SignatureFault(`the ${kind} is signed by a key that is not trusted`)
    if (typ !== typeOf(kind)) throw new SignatureFault(`this is not a ${kind}`)
    const { payload } = await compactVerify(token, trusted.key, { algorithms: [ALGORITHM] })
    return unpack<T>(payload)
  } catch (cause) {
    if (cause instanceof SignatureFault) throw cause
    throw new SignatureFault(`the signature of the ${kind} is not valid`, { cause })
  }
}

/** Decodes a signed text without verifying it, for commands without a key; the worker verifies before it mails. */
export function unverified<T>(token: string): T {
  return unpack<T>(Buffer.from(token.split('.')[1] ?? '', 'base64url'))
}

/** Parses the public Ed25519 keys of a JSON list of JWKs with `kid`; throws an error that says what is wrong. */
export async function readPublicKeys(text: string): Promise<SigningKey[]> {
  const entries = parsed(text)
  if (!Array.isArray(entries)) throw new Error('expected a JSON list of public keys')
  return Promise.all(
    entries.map(async (entry: JWK | null, at) => {
      const { kid, kty, crv, x, d } = entry ?? {}
      if (d !== undefined)
        throw new Error(`[${at}] contains a private key: replace the key, and list only its public part`)
      if (!kid || kty !== 'OKP' || crv !== 'Ed25519' || !x)
        throw new Error(`[${at}] is not an Ed25519 public key with a kid`)
      return { kid, key: (await importJWK({ kty, crv, x }, ALGORITHM)) as CryptoKey }
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
