import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { canonicalJson, digestOf, sha256 } from './canonical.ts'
import { yearDates } from '../engine/dates.ts'
import { FORMAT_VERSION, type RateSetEntry, type RatesIndex, type Shard } from './format.ts'
import { withoutPin } from './pin.ts'
import { splitText } from './split.ts'

/** Bytes of one part as it is stored; a ConfigMap may hold 1 MiB. */
export const SHARD_LIMIT = 512 * 1024 - 1024

/** One shard ConfigMap to be: its name, and what `data['shard.json']` says. */
export interface NamedShard {
  name: string
  digest: string
  shard: Shard
}

/** A set that a rate set was checked with: RateSet name, pricing code and attested digest. */
export interface ImportedSet {
  name: string
  pricingCode: string
  digest: string
}

export interface EncodedSet {
  entry: RateSetEntry
  shards: NamedShard[]
}

/** The attested digest of a rate set: over its spec and the digests of its imports by pricing code. */
export function rateSetDigest(
  spec: RateSetSpec,
  imports: readonly Pick<ImportedSet, 'pricingCode' | 'digest'>[],
): string {
  return digestOf({ spec: withoutPin(spec), imports: Object.fromEntries(imports.map((each) => [each.pricingCode, each.digest])) })
}

/** The index entry and the shards of one rate set; a shard is named by format, set and content. */
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
    digest: rateSetDigest(spec, imports),
    specDigest: sha256(text),
    ...yearDates(spec.financialYear),
    imports: Object.fromEntries(imports.map((each) => [each.name, each.digest])),
    shards: shards.map(({ name, digest }) => ({ name, digest })),
  }
  return { entry, shards }
}

/** A shard under the name of its format, kind, owner and content. Version 1 did not have the version in the name. */
export function namedShard(shard: Shard): NamedShard {
  const digest = sha256(shard.text)
  const prefix = shard.formatVersion === 1 ? shard.kind : `${shard.kind}-v${shard.formatVersion}`
  return { name: `${prefix}-${shard.of}-${shortHex(digest)}`, digest, shard }
}

/** The rates index of these entries, in order of name; its release does not depend on sequence or shard names. */
export function encodeRatesIndex(
  entries: readonly RateSetEntry[],
  sequence: number,
  formatVersion = FORMAT_VERSION,
): RatesIndex {
  const sets = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { formatVersion, kind: 'rates', sequence, release: releaseOf(sets), sets }
}

/** `sha256:<hex>` of the entries, shards by digest alone: the release. */
export function releaseOf(sets: readonly RateSetEntry[]): string {
  return digestOf(sets.map((entry) => ({ ...entry, shards: entry.shards.map((shard) => shard.digest) })))
}

/** First 12 hex digits of a digest, for names. */
export function shortHex(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + 12)
}
