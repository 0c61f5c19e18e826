import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import { buildSnapshot, compileEach, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Program } from '#rates/engine/compile/program.ts'
import { canonicalJson } from '#rates/published/canonical.ts'
import { encodeRateSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { KeptSet } from '#rates/release/kept-release.ts'

type GiveWay = () => Promise<void>

/**
 * Compiles a kept release, one set at a time, and lets quotes be answered between two sets. Sets that the release in use
 * has too are not compiled again and take no further memory.
 */
export async function compileKept(
  release: string,
  kept: readonly KeptSet[],
  inUse: Snapshot,
  giveWay: GiveWay,
): Promise<Snapshot> {
  const known = new Map(inUse.specs.map((spec) => [rateSetName(spec.pricingCode, spec.financialYear), spec]))
  const sets: LoadedSet[] = []
  for (const { entry, specText } of kept) {
    const { name, digest, imports } = entry
    const same = inUse.digests[name] === digest ? known.get(name) : undefined
    sets.push({ name, digest, imports, spec: same ?? (JSON.parse(specText) as RateSetSpec) })
    await giveWay()
  }
  const programs: Record<string, Program> = {}
  for (const program of compileEach(sets, inUse)) {
    programs[program.name] = program
    await giveWay()
  }
  return buildSnapshot({ release, sets }, { programs })
}

/** The sets of the release in use as they would be kept, where nothing is kept of it. */
export async function keptSetsOf({ specs, digests, programs }: Snapshot, giveWay: GiveWay): Promise<KeptSet[]> {
  const codes = new Map(specs.map((spec) => [rateSetName(spec.pricingCode, spec.financialYear), spec.pricingCode]))
  const sets: KeptSet[] = []
  for (const spec of specs) {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const imports = Object.entries(programs[name]?.imports ?? {}).map(([imported, digest]) => ({
      name: imported,
      digest,
      pricingCode: codes.get(imported) ?? '',
    }))
    const { entry, shards } = encodeRateSet(name, spec, imports)
    if (entry.digest !== digests[name]) throw new Error(`${name} is not the set that is in use`)
    const bundled = { ...entry, shards: entry.shards.map(({ digest }) => digest) }
    const specText = shards.map(({ shard }) => shard.text).join('')
    sets.push({ entry: bundled, entryText: canonicalJson(bundled), specText })
    await giveWay()
  }
  return sets.toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
}
