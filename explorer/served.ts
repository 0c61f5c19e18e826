import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** The rates that a page shows, as the server hands them over. */
export interface Served {
  /** Where the rates come from: a folder, `git:REV` or `context:NAME`. */
  label: string
  release: string
  sets: LoadedSet[]
  /** Faults of the files, each with file and line. */
  faults: string[]
  /** Whether the sets are those of before, because the files as they are now cannot be priced with. */
  outdated: boolean
}

const FAULTLESS = { faults: [], outdated: false }

/** What a snapshot was made from; the page compiles the same sets to the same snapshot. */
export function servedOf(
  label: string,
  { release, specs, digests, programs }: Snapshot,
  state: Pick<Served, 'faults' | 'outdated'> = FAULTLESS,
): Served {
  const sets = specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    return { name, spec, digest: digests[name] ?? '', imports: { ...programs[name]?.imports } }
  })
  return { label, release, sets, ...state }
}
