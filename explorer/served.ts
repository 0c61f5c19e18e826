import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** The rates of a page, as the server sends them. */
export interface ExplorerRates {
  /** The origin of the rates: a folder, `git:REV` or `context:NAME`. */
  label: string
  release: string
  sets: LoadedSet[]
  /** Faults of the files, each with file and line. */
  faults: string[]
  /** Whether the sets are earlier ones, because the present files cannot be priced with. */
  outdated: boolean
  /** The files are shown before they are checked; the page is told once they are. */
  unchecked?: boolean
  /** The rates to compare with, if any. */
  old?: Old
  /** Milliseconds after which the page asks for newer rates; absent: the server sends an event. */
  followEveryMs?: number
  /** Whether the server has the other releases of these rates at `releases.json`. */
  hasReleases?: boolean
}

/** One difference of the new side, in words. */
export interface Difference {
  pricingCode: string
  component: string
  /** First day, ISO. */
  from: string
  what: string
  was: string
  is: string
  /** How long the difference lasts, or since when it applies; empty when it lasts. */
  period: string
}

/** The old side of a comparison, and the differences of the new side. */
export interface Old {
  label: string
  release: string
  sets: LoadedSet[]
  differences: Difference[]
}

const FAULTLESS = { faults: [], outdated: false }

/** The sets behind a snapshot, from which the page compiles the same snapshot. */
export function servedOf(
  label: string,
  snapshot: Snapshot,
  state: Pick<ExplorerRates, 'faults' | 'outdated' | 'unchecked' | 'old' | 'followEveryMs' | 'hasReleases'> = FAULTLESS,
): ExplorerRates {
  return { label, release: snapshot.release, sets: loadedSets(snapshot), ...state }
}

export const loadedSets = ({ specs, digests, programs }: Snapshot): LoadedSet[] =>
  specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    return { name, spec, digest: digests[name] ?? '', imports: { ...programs[name]?.imports } }
  })
