import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { checkAll, repeatedFaults } from '#rates/checks/check-all.ts'
import { EXAMPLES_PASS } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault, type LocatedFault } from '#rates/files/located.ts'
import type { ParsedFiles } from '#rates/files/parsed-files.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { yamlFiles } from '#rates/files/read.ts'
import { servedOf, type Old, type ExplorerRates } from './served.ts'

/** Editors write a file in several steps, so the folder is read after this many milliseconds without a change. */
const QUIET_MS = 150

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
  follow: (changed: (served: ExplorerRates) => void) => FSWatcher
}

/**
 * The rate sets of a folder. Sets whose only faults are failed examples are shown as they are; after any other fault,
 * the previous sets stay.
 */
export function createFolder(
  folder: string,
  parsed: ParsedFiles,
  oldOf: (now: Snapshot) => Old | undefined = () => undefined,
): Folder {
  let known: Files = new Map()
  const shown = createShown(folder, oldOf)
  const read = () => {
    const before = known
    known = reread(folder, before, parsed)
    try {
      if (before.size === 0) return shown(known)
    } catch {
      // The checks say better what cannot be compiled, and where.
    }
    const affected = [...known.values()].filter((file) => before.get(file.file) !== file)
    known = checked(known, affected)
    return shown(known)
  }
  const check = async (done: (served: ExplorerRates) => void) => {
    for (let next = firstUnchecked(known); next; next = firstUnchecked(known)) {
      known = checked(known, [next])
      await setImmediate()
    }
    done(shown(known))
  }
  return { read, check, follow: (changed) => whenQuiet(folder, () => changed(read())) }
}

/** Serves files with their faults; after a fault, with the sets of the last files that can be priced with. */
function createShown(folder: string, oldOf: (now: Snapshot) => Old | undefined): (files: Files) => ExplorerRates {
  let lastGood: Snapshot | undefined
  let madeOf: Files | undefined
  return (known) => {
    const files = [...known.values()]
    // Of a set that two files have, neither says so by itself: the fault comes and goes with the other file.
    const found = files.flatMap((file) => [...(file.found ?? file.faults), ...repeatedFaults(file, files)])
    const faults = found.map(describeFault)
    const isRefused = found.some(({ check }) => check !== EXAMPLES_PASS)
    try {
      if (!isRefused && !areSame(known, madeOf)) [lastGood, madeOf] = [compileRateSets(files, lastGood), known]
    } catch (error) {
      faults.push((error as Error).message)
    }
    if (files.length === 0 && !lastGood) throw new Error(`${folder} has no rate set: no YAML file is in it.`)
    if (!lastGood) throw new Error(faults.join('\n'))
    const old = oldOf(lastGood)
    const outdated = !areSame(known, madeOf)
    const unchecked = files.some((file) => file.found === undefined)
    return servedOf(folder, lastGood, { faults, outdated, ...(unchecked && { unchecked }), ...(old && { old }) })
  }
}

const areSame = (files: Files, others: Files = new Map()): boolean =>
  files.size === others.size && [...files].every(([name, { text }]) => others.get(name)?.text === text)

const firstUnchecked = (files: Files) => [...files.values()].find(({ found }) => found === undefined)

function whenQuiet(folder: string, then: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(then, QUIET_MS)
  })
}

/** Parses only the files that changed; these and those that import them, or import a removed one, are no longer checked. */
function reread(folder: string, before: Files, parsed: ParsedFiles): Files {
  const now = new Map<string, Known>()
  for (const file of yamlFiles([folder])) {
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
