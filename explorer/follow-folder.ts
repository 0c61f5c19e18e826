import { readFileSync, statSync, watch, type FSWatcher } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { checkAll, repeatedFaults } from '#rates/checks/check-all.ts'
import { EXAMPLES_PASS } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault, type LocatedFault } from '#rates/files/located.ts'
import type { ParsedFiles } from '#rates/files/parsed-files.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { servedOf, type Old, type ExplorerRates } from './served.ts'

/** Editors write a file in several steps, so the folder is read after this many milliseconds without a change. */
const QUIET_MS = 150
/** The folder itself may go and come back, which nothing tells; milliseconds between two looks. */
const LOOK_MS = 500

interface Known extends RateSetFile {
  text: string
  /** The faults of the file; undefined until it is checked. */
  found: LocatedFault[] | undefined
}

type Files = ReadonlyMap<string, Known>

/** A folder that is read at once, and again after each change. */
interface Folder {
  /** The rates, before their files are checked where they can be priced with. */
  read: () => ExplorerRates
  /** Checks the files one by one, so that requests are answered in between, and says what the rates are then. */
  check: (checked: (served: ExplorerRates) => void) => Promise<void>
  follow: (changed: (served: ExplorerRates) => void) => Following
}

/** What follows a folder until it is closed. */
export interface Following {
  close: () => void
}

/**
 * The rate sets of a folder. Sets whose only faults are failed examples are shown as they are; after any other fault,
 * and while the folder cannot be read, the previous sets stay: those of an earlier read, or at first those of `shownBefore`.
 */
export function createFolder(
  folder: string,
  parsed: ParsedFiles,
  oldOf: (now: Snapshot) => Old | undefined = () => undefined,
  shownBefore?: Snapshot,
): Folder {
  let [known, unreadable, reads]: [Files, string | undefined, number] = [new Map(), undefined, 0]
  const shownOf = createShown(folder, oldOf, shownBefore)
  const shown = () => shownOf(known, unreadable)
  const read = () => {
    const [before, isAtOnce] = [known, reads++ === 0]
    try {
      ;[known, unreadable] = [reread(folder, before, parsed), undefined]
    } catch (error) {
      if (before.size === 0 && !shownBefore) throw error
      unreadable = whyUnreadable(folder, error as NodeJS.ErrnoException)
      return shown()
    }
    try {
      if (isAtOnce) return shown()
    } catch {
      // The checks say better what cannot be compiled, and where.
    }
    known = checked(known, newIn(known, before))
    return shown()
  }
  const check = async (done: (served: ExplorerRates) => void) => {
    for (let next = firstUnchecked(known); next; next = firstUnchecked(known)) {
      known = checked(known, [next])
      await setImmediate()
    }
    done(shown())
  }
  // What was edited after the last read, and before somebody watched, is told by nothing else.
  const reading = { read: (): Read => [read(), unreadable], isBehind: () => !areSame(known, textsNow(folder)) }
  return { read, check, follow: (changed) => whenQuiet(folder, reading, changed) }
}

const newIn = (files: Files, before: Files) => [...files.values()].filter((file) => before.get(file.file) !== file)

/** The texts below a folder; none while the folder cannot be read. */
function textsNow(folder: string): ReadonlyMap<string, { text: string }> {
  try {
    return new Map(yamlFiles([folder]).map((file) => [file, { text: readFileSync(file, 'utf8') }]))
  } catch {
    return new Map()
  }
}

/** A file may go while the folder is being read; its fault goes with the next look. */
const whyUnreadable = (folder: string, { code, path = folder, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? `${path} is not there any more.` : message

/** Serves files with their faults; after a fault, with the sets of the last files that can be priced with. */
function createShown(
  folder: string,
  oldOf: (now: Snapshot) => Old | undefined,
  shownBefore: Snapshot | undefined,
): (files: Files, unreadable?: string) => ExplorerRates {
  let last: Good | undefined = shownBefore && { snapshot: shownBefore }
  return (known, unreadable) => {
    const files = [...known.values()]
    // Of a set that two files have, neither says so by itself: the fault comes and goes with the other file.
    const found = files.flatMap((file) => [...(file.found ?? file.faults), ...repeatedFaults(file, files)])
    const faults = [...(unreadable === undefined ? [] : [unreadable]), ...found.map(describeFault)]
    const isRefused = found.some(({ check }) => check !== EXAMPLES_PASS)
    try {
      if (!isRefused && !areSame(known, last?.madeOf))
        last = { ...good(compileRateSets(files, last?.snapshot)), madeOf: known }
    } catch (error) {
      faults.push((error as Error).message)
    }
    if (!last) throw new Error(faults.join('\n'))
    const { snapshot, old = oldOf(snapshot) } = last
    const outdated = unreadable !== undefined || !areSame(known, last.madeOf)
    const unchecked = files.some((file) => file.found === undefined)
    return servedOf(folder, snapshot, { faults, outdated, ...(unchecked && { unchecked }), ...(old && { old }) })
  }

  /** Throws for what can be compiled but not be shown, before it counts as the last good rates. */
  function good(snapshot: Snapshot): Good {
    servedOf(folder, snapshot)
    const old = oldOf(snapshot)
    return old ? { snapshot, old } : { snapshot }
  }
}

/** The last rates that could be shown, and the files that they were made of. */
interface Good {
  snapshot: Snapshot
  old?: Old
  madeOf?: Files
}

const areSame = (
  files: ReadonlyMap<string, { text: string }>,
  others: ReadonlyMap<string, { text: string }> = new Map(),
): boolean => files.size === others.size && [...files].every(([name, { text }]) => others.get(name)?.text === text)

const firstUnchecked = (files: Files) => [...files.values()].find(({ found }) => found === undefined)

/** What was read, and why no newer files could be. */
type Read = readonly [ExplorerRates, string | undefined]

/**
 * Reads after each change below a folder, after the folder itself has gone or been replaced, and again and again until it
 * can be read.
 */
function whenQuiet(
  folder: string,
  { read, isBehind }: { read: () => Read; isBehind: () => boolean },
  changed: (served: ExplorerRates) => void,
): Following {
  let quiet: NodeJS.Timeout | undefined
  let unreadable: string | undefined
  const readNow = () => {
    const before = unreadable
    const [served, why] = read()
    unreadable = why
    if (why === undefined || why !== before) changed(served)
  }
  const soon = () => {
    clearTimeout(quiet)
    quiet = setTimeout(readNow, QUIET_MS)
  }
  let [watcher, watched]: [FSWatcher | undefined, string | undefined] = [watching(folder, soon), identityOf(folder)]
  const look = () => {
    const now = identityOf(folder)
    // A folder that was renamed and has its name again is the same one, but is not watched any more.
    if (now === watched && unreadable === undefined) return
    watcher?.close()
    watcher = now === undefined ? undefined : watching(folder, soon)
    watched = now
    soon()
  }
  if (isBehind()) soon()
  const looking = setInterval(look, LOOK_MS)
  const close = () => {
    clearInterval(looking)
    clearTimeout(quiet)
    watcher?.close()
  }
  return { close }
}

/** Undefined where there is no folder. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/** Told of each change below a folder, also of a folder below it that goes while it is being looked at. */
const watching = (folder: string, changed: () => void): FSWatcher =>
  watch(folder, { recursive: true }, changed).on('error', changed)

/** Parses only the files that changed; these and those that import them, or import a removed one, are no longer checked. */
function reread(folder: string, before: Files, parsed: ParsedFiles): Files {
  const now = new Map<string, Known>()
  const names = yamlFiles([folder])
  if (names.length === 0) throw new Error(`${folder} has no rate set: no YAML file is in it.`)
  for (const file of names) {
    const text = readFileSync(file, 'utf8')
    const known = before.get(file)
    now.set(file, known?.text === text ? known : { ...parsed.parse(text, file), text, found: undefined })
  }
  const all = [...now.values()]
  const removed = [...before.values()].filter((file) => !now.has(file.file))
  const changed = [...all.filter((file) => before.get(file.file) !== file), ...removed]
  for (const file of all) {
    if (changed.some((one) => imports(file, one))) now.set(file.file, { ...file, found: undefined })
  }
  return now
}

/** The files, with the faults of those that are due. */
function checked(files: Files, due: readonly Known[]): Files {
  const all = [...files.values()]
  const now = new Map(files)
  for (const file of due) {
    const beside = all.filter((other) => other !== file)
    now.set(file.file, { ...file, found: checkAll([file], beside) })
  }
  return now
}

function imports(file: RateSetFile, other: RateSetFile): boolean {
  const [spec, imported] = [file.spec, other.spec] as (Partial<RateSetSpec> | undefined)[]
  return spec?.financialYear === imported?.financialYear && (spec?.imports ?? []).includes(imported?.pricingCode ?? '')
}
