import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CompactSign, type CryptoKey } from 'jose'
import { canonicalJson, sha256 } from '../published/canonical.ts'
import { BUNDLE_TYPE, bundleText, type BundleClaims, type BundleContent } from './bundle.ts'

const pack = promisify(gzip)

/** A key that signs, with its id. */
export interface SigningKey {
  kid: string
  key: CryptoKey
}

/** The signed claims of a bundle that do not follow from its content. */
export type Circumstances = Omit<BundleClaims, 'content' | 'release'>

/** The bytes of a bundle; for the same content, everything except the signature is the same. */
export async function writeBundle(
  content: BundleContent,
  circumstances: Circumstances,
  signs: SigningKey,
): Promise<Uint8Array<ArrayBuffer>> {
  return packBundle(await signContent({ text: canonicalJson(content), release: content.release }, circumstances, signs))
}

/** The text of a bundle; `text` is the content of the release as canonical JSON. */
export async function signContent(
  { text, release }: { text: string; release: string },
  circumstances: Circumstances,
  { kid, key }: SigningKey,
): Promise<string> {
  const claims: BundleClaims = { ...circumstances, content: sha256(text), release }
  const signature = await new CompactSign(new TextEncoder().encode(canonicalJson(claims)))
    .setProtectedHeader({ alg: 'EdDSA', typ: BUNDLE_TYPE, kid })
    .sign(key)
  return bundleText(text, signature)
}

/** Packs the text of a bundle, in a thread of zlib's. */
export async function packBundle(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Uint8Array(await pack(text, { level: 9 }))
  // RFC 1952, 2.3: clears the time, and the operating system, which zlib writes as it was compiled.
  packed.fill(0, 4, 8)
  packed[9] = 255
  return packed
}
