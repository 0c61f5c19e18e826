import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { canonicalJson, digestOf, sha256 } from './canonical.ts'
import { yearDates } from '../engine/dates.ts'
import { FORMAT_VERSION, type RateSetEntry, type RatesIndex, type Shard } from './format.ts'
import { withoutPin } from './pin.ts'
import { splitText } from './split.ts'

/** Most bytes of one part as stored; a ConfigMap may hold 1 MiB. */
export const SHARD_LIMIT = 512 * 1024 - 1024

/** A shard with the name of its ConfigMap; `shard` is the content of `data['shard.json']`. */
export interface NamedShard {
  name: string
  digest: string
  shard: Shard
}

/** An imported set against which a rate set was checked: RateSet name, pricing code and attested digest. */
export interface ImportedSet {
  name: string
  pricingCode: string
  digest: string
}

export interface EncodedSet {
  entry: RateSetEntry
  shards: NamedShard[]
}

/** The attested digest of a rate set, computed from its spec and from the digests of its imports by pricing code. */
export function rateSetDigest(
  spec: RateSetSpec,
  imports: readonly Pick<ImportedSet, 'pricingCode' | 'digest'>[],
): string {
  return digestWith(canonicalJson(withoutPin(spec)), imports)
}

/** The digest of `{ spec, imports }`, from the canonical text of the spec: the keys of canonical JSON are sorted. */
function digestWith(specText: string, imports: readonly Pick<ImportedSet, 'pricingCode' | 'digest'>[]): string {
  const byCode = Object.fromEntries(imports.map((each) => [each.pricingCode, each.digest]))
  return sha256(`{"imports":${canonicalJson(byCode)},"spec":${specText}}`)
}

/** Encodes one rate set as an index entry and shards; the name of a shard has its format, set and content. */
export function encodeRateSet(
  name: string,
  spec: RateSetSpec,
  imports: readonly ImportedSet[] = [],
  formatVersion = FORMAT_VERSION,
): EncodedSet {
  const text = canonicalJson(withoutPin(spec))
  const texts = splitText(text, SHARD_LIMIT)
  const shards = texts.map((part, index) =>
    namedShard({ formatVersion, kind: 'rates', of: name, part: index, parts: texts.length, text: part }),
  )
  const entry: RateSetEntry = {
    name,
    pricingCode: spec.pricingCode,
    financialYear: spec.financialYear,
    digest: digestWith(text, imports),
    specDigest: sha256(text),
    ...yearDates(spec.financialYear),
    imports: Object.fromEntries(imports.map((each) => [each.name, each.digest])),
    shards: shards.map(({ name, digest }) => ({ name, digest })),
  }
  return { entry, shards }
}

/** A shard with its name, made of format, kind, owner and content. In version 1, names have no version. */
export function namedShard(shard: Shard): NamedShard {
  const digest = sha256(shard.text)
  const prefix = shard.formatVersion === 1 ? shard.kind : `${shard.kind}-v${shard.formatVersion}`
  return { name: `${prefix}-${shard.of}-${shortHex(digest)}`, digest, shard }
}

/** The rates index of some entries, sorted by name; its release does not depend on the sequence or on shard names. */
export function encodeRatesIndex(
  entries: readonly RateSetEntry[],
  sequence: number,
  formatVersion = FORMAT_VERSION,
): RatesIndex {
  const sets = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { formatVersion, kind: 'rates', sequence, release: releaseOf(sets), sets }
}

/** The release: `sha256:<hex>` of the entries, in which shards are represented by their digests alone. */
export function releaseOf(sets: readonly RateSetEntry[]): string {
  return digestOf(sets.map((entry) => ({ ...entry, shards: entry.shards.map((shard) => shard.digest) })))
}

/** First 12 hex digits of a digest, for names. */
export function shortHex(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + 12)
}
