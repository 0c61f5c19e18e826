import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { checkAll } from '#rates/checks/check-all.ts'
import { EXAMPLES_PASS } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault, type LocatedFault } from '#rates/files/located.ts'
import { parse, type RateSetFile } from '#rates/files/rate-set-file.ts'
import { yamlFiles } from '#rates/files/read.ts'
import { servedOf, type Old, type ExplorerRates } from './served.ts'

/** Editors write a file in several steps, so the folder is read after this many milliseconds without a change. */
const QUIET_MS = 150

interface Known extends RateSetFile {
  text: string
  found: LocatedFault[]
}

/** A folder that is read at once, and again after each change. */
interface Folder {
  read: () => ExplorerRates
  follow: (changed: (served: ExplorerRates) => void) => FSWatcher
}

/**
 * The rate sets of a folder. Sets whose only faults are failed examples are shown as they are; after any other fault,
 * the previous sets stay.
 */
export function createFolder(folder: string, oldOf: (now: Snapshot) => Old | undefined = () => undefined): Folder {
  let known = new Map<string, Known>()
  let lastGood: Snapshot | undefined
  const read = (): ExplorerRates => {
    known = reread(folder, known)
    const found = [...known.values()].flatMap((file) => file.found)
    const faults = found.map(describeFault)
    let outdated = found.some(({ check }) => check !== EXAMPLES_PASS)
    try {
      if (!outdated) lastGood = compileRateSets([...known.values()], lastGood)
    } catch (error) {
      faults.push((error as Error).message)
      outdated = true
    }
    if (!lastGood) throw new Error(faults.join('\n'))
    const old = oldOf(lastGood)
    return servedOf(folder, lastGood, { faults, outdated, ...(old && { old }) })
  }
  return { read, follow: (changed) => whenQuiet(folder, () => changed(read())) }
}

function whenQuiet(folder: string, then: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(then, QUIET_MS)
  })
}

/**
 * Parses and checks only the files that changed and those that import them, so that an edit is shown within a second.
 */
function reread(folder: string, before: ReadonlyMap<string, Known>): Map<string, Known> {
  const now = new Map<string, Known>()
  for (const file of yamlFiles([folder])) {
    const text = readFileSync(file, 'utf8')
    const known = before.get(file)
    now.set(file, known?.text === text ? known : { ...parse(text, file), text, found: [] })
  }
  const all = [...now.values()]
  const changed = all.filter((file) => before.get(file.file) !== file)
  const affected = all.filter((file) => changed.includes(file) || changed.some((one) => imports(file, one)))
  const beside = all.filter((file) => !affected.includes(file))
  const faults = Map.groupBy(checkAll(affected, beside), ({ file }) => file)
  for (const { file } of affected) now.set(file, { ...now.get(file)!, found: faults.get(file) ?? [] })
  return now
}

function imports(file: RateSetFile, other: RateSetFile): boolean {
  const [spec, imported] = [file.spec, other.spec] as (Partial<RateSetSpec> | undefined)[]
  return spec?.financialYear === imported?.financialYear && (spec?.imports ?? []).includes(imported?.pricingCode ?? '')
}
