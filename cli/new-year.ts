import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { kustomizationOf, readKustomization } from '#rates/files/kustomization.ts'
import { withResource } from '#rates/files/listed.ts'
import { describeFault } from '#rates/files/located.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { countCarriedOver } from '#rates/new-year/carried-over.ts'
import { carryCases, carrySet, type CarriedSet } from '#rates/new-year/carry.ts'
import { moveTo, type YearMove } from '#rates/new-year/years.ts'
import type { Help } from './help.ts'
import { WrongCall } from './help.ts'
import { parseKept } from './kept-files.ts'
import { counted } from './output.ts'
import { CASES, SETS } from './rate-folders.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['new-year CODE YEAR [--all] [--rates rates/sets] [--cases rates/cases]'],
  about:
    'Writes the rate set of the financial year that ends in YEAR. The new set has the rules in force on the last day of the year before, for the whole year. Each figure becomes an estimate with a warning that it is carried over and not verified, and with a review date before the first day. Examples and cases are carried over too; those that no longer hold are left out and named. The new file is added to the Kustomization that the overlays use. The files keep their order, layout and comments.',
  options: [
    ['--all', 'name every example and case that is left out (default: the first of each file)'],
    ['--rates DIR', 'the folder of the rate sets (default: rates/sets)'],
    ['--cases DIR', 'the folder of the cases (default: rates/cases)'],
  ],
  examples: [
    ['new-year AU 2028', 'the federal set of 2027-28 first, because every other set imports it'],
    ['new-year AU_ACT 2028', 'then a jurisdiction'],
  ],
  exits: { done: 'written', refused: 'the set exists already, or the set it is made from is missing or has faults' },
}

export const options = {
  all: { type: 'boolean', default: false },
  rates: { type: 'string', default: SETS, path: 'folder' },
  cases: { type: 'string', default: CASES, path: 'folder' },
} as const

/** Number of omitted names that are printed. */
const FIRST = 3

/** The options of the call, and its files. */
interface Asked {
  code: string
  move: YearMove
  all: boolean
  rates: string
  cases: string
}

/** Writes the next year of one pricing code; when that is not possible, returns 1 and writes nothing. */
export function run(args: string[], terminal: Terminal): number {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const [code, year, ...more] = positionals
  if (code === undefined || year === undefined || more.length > 0)
    throw new WrongCall('expected a pricing code and a year')
  if (!/^20\d\d$/.test(year)) throw new WrongCall(`${year} is not a year such as 2028, in which a financial year ends`)
  if (!existsSync(values.rates)) throw new WrongCall(`there is no folder ${values.rates}`)
  const asked = { code, move: moveTo(Number(year)), ...values }
  const found = findSets(asked)
  if ('refused' in found) {
    for (const line of found.refused) terminal.note(line)
    return 1
  }
  const text = readFileSync(found.last.file, 'utf8')
  const carried = carrySet(text, asked.move, found.imports)
  writeSet(carried, found.last, asked, terminal)
  writeCases(carried, asked, terminal)
  terminal.write(`next: compare each figure with its source, then ${terminal.paint('bold', 'driveaway lint')}`)
  return 0
}

type Found = { last: RateSetFile; imports: RateSetFile[] } | { refused: string[] }

function findSets({ code, move, rates }: Asked): Found {
  const list = kustomizationOf(rates)
  const broken = list === undefined ? [] : readKustomization(list).faults
  if (broken.length > 0)
    return { refused: [`${list} cannot be read, and is to list the new set:`, ...broken.map(describeFault)] }
  const files = yamlFiles([rates]).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const codeOf = (text: string) => /^ {2}pricingCode: "?(\w+)"?\s*$/m.exec(text)?.[1] ?? ''
  const own = files.filter(({ text }) => codeOf(text) === code).map(({ file, text }) => parseKept(text, file))
  if (own.length === 0) {
    const known = [...new Set(files.map(({ text }) => codeOf(text)))].filter(Boolean).sort()
    throw new WrongCall(`there is no rate set of ${code} in ${rates}; there are those of ${known.join(', ')}`)
  }
  const unreadable = refusalOf(own)
  if (unreadable) return unreadable
  const there = setOf(own, move.to)
  if (there) return { refused: [`${there.name} exists already: ${there.file}`] }
  const last = setOf(own, move.from)
  if (!last) return { refused: [withoutLast(own, { code, move })] }
  const codes = (last.spec as Partial<RateSetSpec>).imports ?? []
  const imported = files.filter(({ text }) => codes.includes(codeOf(text))).map(({ file, text }) => parseKept(text, file))
  const unreadableImport = refusalOf(imported)
  if (unreadableImport) return unreadableImport
  const faults = checkAll([last], imported)
  if (faults.length > 0)
    return { refused: [`${last.name} has faults that the new set would inherit:`, ...faults.map(describeFault)] }
  const absent = codes.filter((each) => !setOf(imported, move.to, each))
  if (absent.length === 0) return { last, imports: codes.map((each) => setOf(imported, move.to, each)!) }
  const year = move.to.slice(-4)
  return {
    refused: absent.flatMap((each) => [
      `${code} imports ${each}, which has no rate set of ${move.to} yet`,
      `first: driveaway new-year ${each} ${year}`,
    ]),
  }
}

/** A file that cannot be parsed as a rate set exists all the same: to call its year missing would be wrong. */
function refusalOf(files: readonly RateSetFile[]): { refused: string[] } | undefined {
  const broken = files.filter((each) => yearOf(each) === '')
  if (broken.length === 0) return undefined
  const words = broken.map(
    ({ file }) => `${file} cannot be read as a rate set of one financial year; see: driveaway lint`,
  )
  return { refused: [...words, ...broken.flatMap(({ faults }) => faults.map(describeFault))] }
}

const yearOf = ({ spec }: RateSetFile) => (spec as Partial<RateSetSpec> | undefined)?.financialYear ?? ''

/** The set of a year, and of a pricing code if one is given. */
const setOf = (files: readonly RateSetFile[], year: string, code?: string) =>
  files.find((each) => {
    const { pricingCode } = (each.spec ?? {}) as Partial<RateSetSpec>
    return yearOf(each) === year && (code === undefined || pricingCode === code)
  })

function withoutLast(own: readonly RateSetFile[], { code, move }: Pick<Asked, 'code' | 'move'>): string {
  const latest = own.map(yearOf).sort().at(-1)!
  const absent = `${code} has no rate set of ${move.from}, which the set of ${move.to} is made from`
  if (latest > move.to) return `${absent}; its earliest is of ${own.map(yearOf).sort()[0]}`
  return `${absent}; first: driveaway new-year ${code} ${Number(latest.slice(-4)) + 1}`
}

function writeSet(carried: CarriedSet, last: RateSetFile, { move, rates, all }: Asked, terminal: Terminal): void {
  const file = join(dirname(last.file), `fy${move.to.slice(-2)}.yaml`)
  writeFileSync(file, carried.text)
  const figures = counted(countCarriedOver(carried.spec), 'figure')
  const examples = counted(carried.moved, 'example')
  terminal.write(`${terminal.paint('green', file)}: ${figures} carried over from ${last.name}, ${examples}`)
  sayOrders(last, terminal)
  sayLeftOut(carried.leftOut, all, terminal)
  const list = kustomizationOf(rates)
  if (list === undefined) return terminal.note(`${rates} has no Kustomization: no overlay publishes ${file} yet`)
  const text = withResource(readFileSync(list, 'utf8'), relative(rates, file), relative(rates, last.file))
  writeFileSync(list, text)
  terminal.write(`${terminal.paint('green', list)}: lists ${relative(rates, file)}`)
}

/**
 * Reports publication settings of last year's set, which are not carried over: its author may want them for the new
 * year too.
 */
function sayOrders({ name, spec }: RateSetFile, { write, paint }: Terminal): void {
  const { pin, withdrawn } = spec as RateSetSpec
  const orders = [pin === undefined ? [] : ['pin'], withdrawn === undefined ? [] : ['withdrawn']].flat()
  for (const order of orders) write(paint('yellow', `  spec.${order} of ${name} is not carried over`))
}

function writeCases(carried: CarriedSet, { code, move, cases, all }: Asked, terminal: Terminal): void {
  if (!existsSync(cases)) return
  const year = `fy${move.to.slice(-2)}`
  for (const file of yamlFiles([cases])) {
    const text = readFileSync(file, 'utf8')
    if (!new RegExp(`^pricingCode: "?${code}"?\\s*$`, 'm').test(text)) continue
    const moved = carryCases(text, move, carried)
    if (moved === undefined) continue
    const folder = /^fy\d\d$/.test(basename(dirname(file))) ? dirname(dirname(file)) : dirname(file)
    const next = join(folder, year, basename(file))
    if (moved.moved > 0) {
      mkdirSync(dirname(next), { recursive: true })
      writeFileSync(next, moved.text)
      terminal.write(`${terminal.paint('green', next)}: ${counted(moved.moved, 'case')}`)
    }
    sayLeftOut(moved.leftOut, all, terminal)
  }
}

/** Lists the examples that must be rewritten, because they proved a figure that has ended. */
function sayLeftOut(names: readonly string[], all: boolean, { write, paint }: Terminal): void {
  if (names.length === 0) return
  write(paint('yellow', `  ${names.length} left out, because the carried-over figures give other results:`))
  for (const name of all ? names : names.slice(0, FIRST)) write(`    ${name}`)
  if (!all && names.length > FIRST) write(`    and ${names.length - FIRST} more, which --all names`)
}
