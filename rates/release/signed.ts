/**
 * Signed statements about a release: who signed a bundle or a receipt, and whether the signature is valid. Verification
 * uses WebCrypto, because browsers verify too; see README.md.
 */

/** A public release key, an Ed25519 JWK, and the only environment for which it may sign. */
export interface ReleaseKey {
  kty: string
  crv: string
  x: string
  kid: string
  environment: string
  /**
   * Last day, ISO, in UTC, on which the key signs; what it signed until then stays valid for ever. Absent: it still
   * signs.
   */
  signsUntil?: string
}

/** Public keys, as served and as stored in a file. */
export interface ReleaseKeys {
  keys: readonly ReleaseKey[]
}

/** The reasons for refusing something signed. */
export type RefusedBecause =
  | 'not_readable'
  | 'unsigned'
  | 'unknown_key'
  | 'bad_signature'
  | 'other_environment'
  | 'key_out_of_date'
  | 'altered'
  | 'other_release'

/** Thrown for an invalid bundle or receipt: `because` is for programs, the message for people. */
export class ReleaseFault extends Error {
  readonly because: RefusedBecause

  constructor(because: RefusedBecause, message: string) {
    super(message)
    this.name = 'ReleaseFault'
    this.because = because
  }
}

/** The claims of every signed statement besides its subject. */
export interface SignedClaims {
  environment: string
  /** When it was signed, in seconds since 1970. */
  iat: number
}

/** The expected properties of a signed statement. */
export interface Expected {
  /** Its name in messages: `the bundle`. */
  what: string
  /** The `typ` of its header, so that a receipt is never read as a bundle. */
  typ: string
  keys: readonly ReleaseKey[]
}

/** A compact JWS (RFC 7515): header, payload and signature, each in base64url. */
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

/**
 * Returns the claims of a compact JWS signed by one of the keys, EdDSA with Ed25519; throws ReleaseFault with the first
 * reason why it is not valid.
 */
export async function verifySigned<C extends SignedClaims>(token: string, expected: Expected): Promise<{ kid: string; claims: C }> {
  const { what, typ, keys } = expected
  const parts = COMPACT.exec(token)
  if (!parts) throw new ReleaseFault('unsigned', `${what} is not signed: expected a compact JWS`)
  const [, header = '', payload = '', signature = ''] = parts
  const said = readJson(header, what) as { alg?: unknown; typ?: unknown; kid?: unknown }
  if (said.alg !== 'EdDSA' || said.typ !== typ || typeof said.kid !== 'string')
    throw new ReleaseFault('unsigned', `${what} is not signed as ${typ} by EdDSA and a key id`)
  const key = keys.find(({ kid }) => kid === said.kid)
  if (!key) throw new ReleaseFault('unknown_key', `${what} is signed by key ${said.kid}, which is not trusted`)
  if (!(await isSignedBy(key, `${header}.${payload}`, signature)))
    throw new ReleaseFault('bad_signature', `the signature of ${what} is not one of key ${key.kid}`)
  const claims = readJson(payload, what) as C
  checkKey(claims, key, what)
  return { kid: key.kid, claims }
}

function checkKey({ environment, iat }: SignedClaims, { kid, signsUntil, ...key }: ReleaseKey, what: string): void {
  if (environment !== key.environment)
    throw new ReleaseFault(
      'other_environment',
      `${what} is of environment ${environment}, but key ${kid} speaks for ${key.environment} only`,
    )
  const day = new Date(iat * 1000).toISOString().slice(0, 10)
  if (signsUntil !== undefined && day > signsUntil)
    throw new ReleaseFault('key_out_of_date', `${what} is of ${day}, but key ${kid} signs until ${signsUntil} only`)
}

async function isSignedBy({ kty, crv, x }: ReleaseKey, signed: string, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature), new TextEncoder().encode(signed))
}

/** `sha256:<hex>` of bytes. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function readJson(part: string, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(part)))
  } catch {
    throw new ReleaseFault('not_readable', `${what} has a signature that is not JSON in base64url`)
  }
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
