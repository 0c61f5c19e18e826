import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet } from '../published/encode-rates.ts'
import { withoutPin } from '../published/pin.ts'
import type { BundleContent } from './bundle.ts'

/** One rate set by name. */
export interface NamedSpec {
  name: string
  spec: RateSetSpec
}

/**
 * The entries that an operator would publish for some rate sets, sorted by name and without withdrawn sets; throws when
 * an imported set is missing.
 */
export function entriesOf(sets: readonly NamedSpec[]): { encoded: EncodedSet; spec: RateSetSpec }[] {
  const current = sets.filter(({ spec }) => !spec.withdrawn)
  const encoded = new Map<string, EncodedSet>()
  // Imported sets come first, because their digests are part of their importers' digests; they import nothing
  // themselves.
  const importedFirst = current.toSorted((a, b) => (a.spec.imports?.length ?? 0) - (b.spec.imports?.length ?? 0))
  for (const { name, spec } of importedFirst) encoded.set(name, encodeRateSet(name, spec, importsOf(spec, encoded)))
  return current
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, spec }) => ({ encoded: encoded.get(name)!, spec }))
}

function importsOf(spec: RateSetSpec, encoded: ReadonlyMap<string, EncodedSet>) {
  return (spec.imports ?? []).map((pricingCode) => {
    const entries = [...encoded.values()].map(({ entry }) => entry)
    const found = entries.find(
      (entry) => entry.pricingCode === pricingCode && entry.financialYear === spec.financialYear,
    )
    if (!found) throw new Error(`${spec.pricingCode} ${spec.financialYear} imports ${pricingCode}, which is not there`)
    return { name: found.name, pricingCode, digest: found.digest }
  })
}

/**
 * The content of a bundle of some rate sets: the release that an operator would publish. Throws like `entriesOf`, and
 * when a set is pinned at another content than the one given here.
 */
export function contentOf(sets: readonly NamedSpec[]): BundleContent {
  const entries = entriesOf(sets)
  for (const { encoded, spec } of entries) {
    const { name, digest } = encoded.entry
    if (spec.pin !== undefined && spec.pin !== digest)
      throw new Error(
        `${name} is pinned at ${spec.pin}, and its content here is ${digest}: remove the pin, or bundle a revision with that content`,
      )
  }
  const { release } = encodeRatesIndex(
    entries.map(({ encoded }) => encoded.entry),
    0,
  )
  const bundled = entries.map(({ encoded: { entry }, spec }) => ({
    entry: { ...entry, shards: entry.shards.map(({ digest }) => digest) },
    spec: withoutPin(spec),
  }))
  return { release, sets: bundled }
}
