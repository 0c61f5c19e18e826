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
  /** What the rates are compared with, where they are. */
  old?: Old
}

/** One thing that the new side says otherwise, in words. */
export interface Difference {
  pricingCode: string
  component: string
  /** First day, ISO. */
  from: string
  what: string
  was: string
  is: string
  /** Until when, or since when; empty where the difference lasts. */
  period: string
}

/** The old side of a comparison, and what the new side says otherwise. */
export interface Old {
  label: string
  release: string
  sets: LoadedSet[]
  differences: Difference[]
}

const FAULTLESS = { faults: [], outdated: false }

/** What a snapshot was made from; the page compiles the same sets to the same snapshot. */
export function servedOf(
  label: string,
  snapshot: Snapshot,
  state: Pick<Served, 'faults' | 'outdated' | 'old'> = FAULTLESS,
): Served {
  return { label, release: snapshot.release, sets: loadedSets(snapshot), ...state }
}

export const loadedSets = ({ specs, digests, programs }: Snapshot): LoadedSet[] =>
  specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    return { name, spec, digest: digests[name] ?? '', imports: { ...programs[name]?.imports } }
  })
