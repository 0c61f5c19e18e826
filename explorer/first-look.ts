import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { keptBelow, type Kept } from '#rates/files/kept.ts'
import { findSet } from '#rates/files/kept-sets.ts'
import { servedOf, type ExplorerRates } from './served.ts'

/** The rate set files of a folder or of a revision. */
export interface SideTexts {
  label: string
  texts: readonly string[]
  /** Of a revision: nobody edits these files, and nothing more is said about them. */
  isFixed: boolean
}

export interface FirstLook {
  snapshot: Snapshot
  rates: ExplorerRates
}

/**
 * The rates of files that an earlier start has parsed, compared with others if there are such. They are there before the
 * parser and the checks are loaded, which take most of a start. Undefined where a file is new, and where the checks say
 * better what is wrong. `today` is ISO.
 */
export async function firstLook(
  side: SideTexts,
  today: string,
  { against, kept = keptBelow() }: { against?: SideTexts | undefined; kept?: Kept } = {},
): Promise<FirstLook | undefined> {
  const snapshot = snapshotOf(side, kept)
  if (!snapshot) return undefined
  const old = against && (await comparedWith(against, { kept, now: snapshot, today }))
  if (against && !old) return undefined
  const state = { faults: [], outdated: false, ...(!side.isFixed && { unchecked: true }), ...(old && { old }) }
  return { snapshot, rates: servedOf(side.label, snapshot, state) }
}

async function comparedWith(against: SideTexts, by: { kept: Kept; now: Snapshot; today: string }) {
  const snapshot = snapshotOf(against, by.kept, by.now)
  if (!snapshot) return undefined
  const { oldSide } = await import('./differences.ts')
  return oldSide({ label: against.label, snapshot }, by.now, by.today)
}

function snapshotOf({ texts }: SideTexts, kept: Kept, previous?: Snapshot): Snapshot | undefined {
  const sets = texts.map((text) => findSet(kept, text)).filter((each) => each !== undefined)
  const names = new Set(sets.map(({ name }) => name))
  if (names.size === 0 || names.size < texts.length) return undefined
  try {
    return compileRateSets(sets, previous)
  } catch {
    return undefined
  }
}
