import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '../engine/snapshot.ts'
import type { RateSetEntry } from '../published/format.ts'
import type { InForce } from './in-force.ts'
import { ReleaseFault, sha256Of, verifySigned, type ReleaseKey, type SignedClaims } from './signed.ts'

export const BUNDLE_TYPE = 'driveaway-bundle+jws'

/**
 * An entry of the rates index in which shards are represented by their digests alone; the release is the digest of the
 * entries in this form.
 */
export type BundledEntry = Omit<RateSetEntry, 'shards'> & { shards: string[] }

/** One rate set of a release. */
export interface BundledSet {
  entry: BundledEntry
  spec: RateSetSpec
}

/** The content of a bundle: a pure function of the rate sets. */
export interface BundleContent {
  release: string
  /** Sorted by name. */
  sets: BundledSet[]
}

/** The engine: the version of Driveaway, and the digest of the engine's source. */
export interface Engine {
  version: string
  digest: string
}

/** The signed claims about the content of a bundle. */
export interface BundleClaims extends SignedClaims {
  /** `sha256:<hex>` of the canonical JSON of the content. */
  content: string
  release: string
  engine: Engine
  /** Attestations (compact JWS) by RateSet name, when the environment has them. */
  attestations: Record<string, string>
  /** When the environment priced with the release, as far as that was known at `iat`; absent where it was not. */
  inForce?: readonly InForce[]
}

/** A bundle whose signature and digests have been verified. */
export interface OpenedBundle {
  kid: string
  claims: BundleClaims
  content: BundleContent
}

/** Most bytes of an unpacked bundle; a limit that applies before the signature is known. */
const MOST_BYTES = 256 * 1024 * 1024

// The text is canonical JSON, so its members have this order, and the content can be verified as written.
const BEFORE = '{"content":'
const AFTER = /,"formatVersion":1,"signature":"([\w.-]*)"\}$/
/**
 * Most characters at the end of a bundle in which its signature must be found; a signature with an attestation for each
 * set is much shorter.
 */
const LONGEST_END = 1024 * 1024

/** The text of a bundle. */
export const bundleText = (content: string, signature: string): string =>
  `${BEFORE}${content},"formatVersion":1,"signature":"${signature}"}`

/** Opens a bundle; throws ReleaseFault unless one of the keys signed exactly this content. */
export async function readBundle(bytes: Uint8Array<ArrayBuffer>, keys: readonly ReleaseKey[]): Promise<OpenedBundle> {
  const text = await unpacked(bytes)
  const end = AFTER.exec(text.slice(-LONGEST_END))
  if (!text.startsWith(BEFORE) || !end) throw notReadable('it is not a signed bundle of format 1')
  const [matched, signature = ''] = end
  const { kid, claims } = await verifySigned<BundleClaims>(signature, { what: 'the bundle', typ: BUNDLE_TYPE, keys })
  const content = text.slice(BEFORE.length, -matched.length)
  if ((await digestOfText(content)) !== claims.content)
    throw new ReleaseFault('altered', 'the content of the bundle is not the content that was signed')
  return { kid, claims, content: await holding(JSON.parse(content) as BundleContent, claims) }
}

/** The snapshot that an API process would have of the same release. */
export function snapshotOfBundle({ release, sets }: BundleContent): Snapshot {
  const loaded = sets.map(({ entry: { name, digest, imports }, spec }) => ({ name, digest, imports, spec }))
  return buildSnapshot({ release, sets: loaded })
}

/** Returns the content after checking that its release is the signed one and the digest of its entries. */
async function holding(content: BundleContent, claims: BundleClaims): Promise<BundleContent> {
  const { release, sets } = content
  // Canonical JSON stays canonical when it is parsed and written again, because no key of an entry is a number.
  const digest = await digestOfText(JSON.stringify(sets.map(({ entry }) => entry)))
  if (release !== claims.release || release !== digest)
    throw new ReleaseFault(
      'other_release',
      `the bundle is signed as ${claims.release}, but its rate sets make ${digest}`,
    )
  return content
}

const digestOfText = (text: string): Promise<string> => sha256Of(new TextEncoder().encode(text))

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      length += value.length
      if (length > MOST_BYTES) throw new RangeError()
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    throw notReadable(`it is not gzip of a text of at most ${MOST_BYTES} bytes`)
  }
}

const notReadable = (why: string): ReleaseFault => new ReleaseFault('not_readable', `the bundle cannot be read: ${why}`)
