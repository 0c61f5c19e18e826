import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkAll } from '#rates/checks/check-all.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault } from '#rates/files/located.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { readRateSets } from '#rates/files/read.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { WrongCall } from './help.ts'
import { parseKept } from './kept-files.ts'
import { CASES, SETS } from './rate-folders.ts'
import type { Terminal } from './terminal.ts'

/** A file that was named, with its text: a rate set, or cases. */
export interface NamedFile {
  file: string
  text: string
  cases: boolean
}

/** The files that paths denote, by default the folders of the repository. Throws WrongCall for a missing path. */
export function namedFiles(paths: readonly string[]): NamedFile[] {
  const named = paths.length > 0 ? paths : [SETS, CASES].filter((path) => existsSync(path))
  if (named.length === 0) throw new WrongCall(`there is no ${SETS} here; name the files or folders`)
  const missing = named.filter((path) => !existsSync(path))
  if (missing.length > 0) throw new WrongCall(`there is no ${missing.join(', ')}`)
  return yamlFiles(named).map((file) => {
    const text = readFileSync(file, 'utf8')
    return { file, text, cases: /^cases:/m.test(text) && !/^kind:/m.test(text) }
  })
}

/**
 * The sets in the folder beside the named ones, for checks of imports in both directions: of the same years, or of
 * `every` year.
 */
export function besideOf(named: readonly RateSetFile[], folder: string, every = false): RateSetFile[] {
  if (!existsSync(folder)) return []
  const names = new Set(named.map(({ name }) => name))
  const namedPaths = new Set(named.map(({ file }) => resolve(file)))
  const years = named.map(({ spec }) => (spec as Partial<RateSetSpec> | undefined)?.financialYear ?? '')
  const files = yamlFiles([folder]).filter((file) => !namedPaths.has(resolve(file)))
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  // Parsing is slow: a text that does not contain the year of a named set is not a set of that year.
  const near = texts.filter(({ text }) => every || years.some((year) => year !== '' && text.includes(year)))
  return near.map(({ text, file }) => parseKept(text, file)).filter(({ name }) => !names.has(name))
}

/** The files that import one of the named sets: a change of an imported set changes them too. */
export function importersOf(named: readonly RateSetFile[], among: readonly RateSetFile[]): RateSetFile[] {
  const specs = named.map(({ spec }) => spec as Partial<RateSetSpec> | undefined)
  return among.filter(({ spec }) => {
    const { imports, financialYear } = (spec ?? {}) as Partial<RateSetSpec>
    return specs.some((one) => one?.financialYear === financialYear && imports?.includes(one?.pricingCode ?? ''))
  })
}

export const parseNamed = (named: readonly NamedFile[]): RateSetFile[] =>
  named.filter(({ cases }) => !cases).map(({ text, file }) => parseKept(text, file))

/** The snapshot of the sets in a folder; undefined when they have faults, which are printed. */
export function snapshotOf(folder: string, terminal: Terminal): Snapshot | undefined {
  if (!existsSync(folder)) throw new WrongCall(`there is no folder ${folder}`)
  const files = readRateSets([folder], parseKept)
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  if (faults.length > 0) return undefined
  return compileRateSets(files)
}
