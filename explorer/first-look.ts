import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { keptBelow, type Kept } from '#rates/files/kept.ts'
import { findSet, type KeptSet } from '#rates/files/kept-sets.ts'
import { servedOf, type ExplorerRates, type Old } from './served.ts'

/** The rate set files of a folder or of a revision, or the objects of a cluster. */
export interface SideFiles {
  label: string
  /** Texts, or sets that are data already. */
  files: readonly (string | KeptSet)[]
  /** Of a revision and of a cluster: nobody edits these files here, and nothing more is said about them. */
  isFixed: boolean
}

export interface FirstLook {
  /** Undefined while a file is new: the parser may find a fault in that file, and the rates are then none to go back to. */
  snapshot: Snapshot | undefined
  rates: ExplorerRates
}

/**
 * The rates of some files, compared with others if there are such. They are there before the strict parser and the checks
 * are loaded, which take most of a start: a file that an earlier start has parsed is not parsed again, and a new one by a
 * parser that knows no places. Undefined where the checks say better what is wrong. `today` is ISO.
 */
export async function firstLook(
  side: SideFiles,
  today: string,
  { against, kept = keptBelow() }: { against?: SideFiles | undefined; kept?: Kept } = {},
): Promise<FirstLook | undefined> {
  try {
    const own = await snapshotOf(side, kept)
    const old = own && against && (await comparedWith(against, { kept, now: own.snapshot, today }))
    return !own || (against && !old) ? undefined : lookOf(side, own, old)
  } catch {
    return undefined
  }
}

function lookOf({ label, isFixed }: SideFiles, { snapshot, isNew }: Read, old: ReadOld | undefined): FirstLook {
  const isUnsure = isNew || (old?.isNew ?? false)
  const isUnchecked = isUnsure || !isFixed
  const state = { faults: [], outdated: false, ...(isUnchecked && { unchecked: true }), ...(old && { old: old.side }) }
  return { snapshot: isUnsure ? undefined : snapshot, rates: servedOf(label, snapshot, state) }
}

interface ReadOld {
  side: Old
  isNew: boolean
}

async function comparedWith(
  against: SideFiles,
  by: { kept: Kept; now: Snapshot; today: string },
): Promise<ReadOld | undefined> {
  const old = await snapshotOf(against, by.kept, by.now)
  if (!old) return undefined
  const { oldSide } = await import('./differences.ts')
  return { side: oldSide({ label: against.label, snapshot: old.snapshot }, by.now, by.today), isNew: old.isNew }
}

interface Read {
  snapshot: Snapshot
  /** Whether an earlier start has not parsed each file. */
  isNew: boolean
}

async function snapshotOf({ files }: SideFiles, kept: Kept, previous?: Snapshot): Promise<Read | undefined> {
  const known = files.map((file) => (typeof file === 'string' ? findSet(kept, file) : file))
  const isNew = known.some((each) => each === undefined)
  const load = isNew ? await looseParser() : undefined
  const sets = files.map((file, index) => known[index] ?? load!(file as string))
  const names = new Set(sets.map(({ name }) => name))
  if (names.size === 0 || names.size < files.length) return undefined
  const snapshot = compileRateSets(sets, previous)
  return snapshot.specs.length === 0 ? undefined : { snapshot, isNew }
}

/** Parses a file in an eighth of the time, without the place of anything; throws where this is no YAML of an object. */
async function looseParser(): Promise<(text: string) => KeptSet> {
  const { CORE_SCHEMA, load } = await import('js-yaml')
  return (text) => {
    const { metadata, spec } = load(text, { schema: CORE_SCHEMA, maxAliases: 0 }) as {
      metadata: { name: string }
      spec: object
    }
    return { name: metadata.name, spec }
  }
}
