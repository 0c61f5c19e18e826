import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { reviewFaults } from '#rates/checks/review-dates.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { unlisted } from '#rates/files/listed.ts'
import type { LocatedFault } from '#rates/files/located.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { pinnedAt } from '#rates/published/pin.ts'
import { writingFaults } from '#rates/files/writing.ts'
import { countCarriedOver } from '#rates/new-year/carried-over.ts'
import { framed } from './findings/frame.ts'
import { githubCommand } from './findings/github.ts'
import { junitReport, testedFiles } from './findings/junit.ts'
import { sarifLog } from './findings/sarif.ts'
import type { Help } from './help.ts'
import { checkKeptCases } from './kept-files.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import { besideOf, importersOf, namedFiles, parseNamed, type NamedFile } from './rate-files.ts'
import { SETS } from './rate-folders.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['lint [paths…] [--format text|github|sarif|json] [--junit FILE] [--rates rates/sets] [--today DATE]'],
  about:
    'Runs every check that the operator makes before it publishes, including the worked examples, and the checks that need the file: duplicate keys, tabs, invisible characters, a file named after another year, a set that no overlay lists, an overlay beside --rates that takes in no rate set, a broken file of kustomize, an impossible verifiedOn or reviewBy. Counts the figures that are carried over from last year and not verified. A path is a file or a folder of rate sets or cases (default: rates/sets and rates/cases). --rates contains the sets that a set imports, and those that import it.',
  options: [
    ['--format text', 'file:line:column, what is wrong, and the line itself (the default)'],
    ['--format github', 'annotations on a pull request, from a GitHub Actions step'],
    ['--format sarif', 'SARIF 2.1.0, for code review systems'],
    ['--format json', 'the same as --output json'],
    ['--junit FILE', 'also writes a JUnit report, one test per file, for the test page of a CI system'],
    ['--rates DIR', 'the folder of the other rate sets (default: rates/sets)'],
    ['--today DATE', 'the day to use as today'],
  ],
  examples: [
    ['lint', 'the whole repository'],
    ['lint rates/sets/au-vic', 'one jurisdiction'],
    ['lint --format sarif > lint.sarif', 'a file for a code review system'],
  ],
  exits: { done: 'no faults', refused: 'there are faults, or there is nothing to check' },
}

export const options = {
  format: { type: 'string', default: 'text', choices: ['text', 'github', 'sarif', 'json'] },
  output: OUTPUT,
  rates: { type: 'string', default: SETS, path: 'folder' },
  today: { type: 'string' },
  junit: { type: 'string', path: 'file' },
} as const

export const operands = { path: 'file' } as const

/** Prints every fault of rate sets and cases; returns 1 when there is any. */
export function run(args: string[], terminal: Terminal): number {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const format = oneOf('format', values.format, options.format.choices)
  const output = oneOf('output', values.output, options.output.choices)
  const named = namedFiles(positionals)
  const sets = parseNamed(named)
  const faults = faultsOf(named, sets, values)
  print({ faults, named, sets, format: output === 'json' ? output : format }, terminal)
  if (values.junit !== undefined) writeFileSync(values.junit, junitReport('driveaway lint', testedFiles(named, faults)))
  return faults.length > 0 || named.length === 0 ? 1 : 0
}

interface Linted {
  faults: readonly LocatedFault[]
  named: readonly NamedFile[]
  sets: readonly RateSetFile[]
  format: 'text' | 'github' | 'sarif' | 'json'
}

function print({ faults, named, sets, format }: Linted, terminal: Terminal): void {
  const files = new Map(named.map(({ file, text }) => [file, text.split('\n')]))
  if (format === 'json') terminal.write(asJson({ files: named.length, carriedOver: countCarriedOver(sets), faults }))
  else if (format === 'sarif') terminal.write(asJson(sarifLog(faults)))
  else if (format === 'github') for (const fault of faults) terminal.write(githubCommand(fault))
  else for (const fault of faults) for (const line of framed(fault, files, terminal)) terminal.write(line)
  if (format === 'text') summarize(faults, named, sets, terminal)
}

function faultsOf(
  named: readonly NamedFile[],
  sets: readonly RateSetFile[],
  { rates, today = latestToday() }: { rates: string; today?: string },
): LocatedFault[] {
  const beside = besideOf(sets, rates)
  const checked = [...sets, ...importersOf(sets, beside)]
  const names = new Map(sets.map(({ file, name }) => [file, name]))
  const written = named.flatMap(({ file, text }) => writingFaults(text, file, names.get(file) ?? ''))
  const cases = named.filter((one) => one.cases).flatMap(({ text, file }) => checkKeptCases(text, file).faults)
  // The parser reports a tab too, with a message that does not mention tabs.
  const clumsy = ({ check, file, line }: LocatedFault) =>
    check === 'yaml' && written.some((one) => one.check === 'no-tabs' && one.file === file && one.line <= line)
  const found = checkAll(checked, beside)
  const sound = sets.filter(({ file }) => !found.some((fault) => fault.file === file))
  const editorial = [...unlisted(sets, rates), ...sound.flatMap((set) => reviewFaultsOf(set, today))]
  const others = [...found, ...editorial, ...cases].filter((fault) => !clumsy(fault))
  return [...written, ...others].sort((a, b) => order(a.file, b.file) || a.line - b.line || a.column - b.column)
}

/** Called for sets without other faults, whose spec is therefore well-formed. */
const reviewFaultsOf = ({ spec, file, locate }: RateSetFile, today: string): LocatedFault[] =>
  reviewFaults(subjectOf(spec as RateSetSpec, []), today)
    .map((fault) => ({ ...fault, path: `spec.${fault.path}` }))
    .map((fault) => ({ ...fault, file, ...locate(fault.path) }))

/** The latest calendar day on Earth: in Sydney it may already be tomorrow while a runner in UTC has today. */
const latestToday = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function summarize(
  faults: readonly LocatedFault[],
  named: readonly NamedFile[],
  sets: readonly RateSetFile[],
  terminal: Terminal,
): void {
  const examples = sets.reduce((sum, { spec }) => sum + ((spec as { examples?: unknown[] })?.examples?.length ?? 0), 0)
  const cases = named.length - sets.length
  const looked = [counted(sets.length, 'rate set'), counted(examples, 'example')]
  if (cases > 0) looked.push(`${counted(cases, 'file')} of cases`)
  if (named.length === 0) terminal.note('no rate sets found')
  else if (faults.length > 0) terminal.note(`${counted(faults.length, 'fault')} in ${looked.join(', ')}`)
  else terminal.write(`${looked.join(', ')}, ${terminal.paint('green', 'no faults')}`)
  const carried = countCarriedOver(sets)
  for (const { name, spec } of sets) {
    const pin = (spec as Partial<RateSetSpec> | undefined)?.pin
    if (typeof pin === 'string') terminal.write(terminal.paint('yellow', `${name} is ${pinnedAt(pin)}`))
  }
  if (carried > 0)
    terminal.write(terminal.paint('yellow', `${counted(carried, 'figure')} carried over and not verified`))
}
