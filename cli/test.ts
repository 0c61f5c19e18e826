import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault, type LocatedFault } from '#rates/files/located.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { runCase, type Difference } from '#rates/proof/run-case.ts'
import { runExampleOf } from '#rates/proof/run-examples.ts'
import { junitReport, testedFiles, type ReportedTest } from './findings/junit.ts'
import type { Help } from './help.ts'
import { checkKeptCases } from './kept-files.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import { explained } from './price-sheet.ts'
import { besideOf, namedFiles, parseNamed, type NamedFile } from './rate-files.ts'
import { SETS } from './rate-folders.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['test [paths…] [--junit FILE] [--rates rates/sets]'],
  about:
    'Prices the worked examples of rate sets and the quotes of cases, and compares each figure to the cent. A path is a file or a folder of rate sets or cases (default: rates/sets and rates/cases). A failure shows the expected figure, the actual figure and how it was computed: the case of the rule, the basis, the band, the rounding, the source.',
  options: [
    ['--rates DIR', 'the other rate sets, and those that price the cases (default: rates/sets)'],
    ['--junit FILE', 'also writes a JUnit report, for the test page of a CI system'],
    ['--output json', 'every example and case as JSON'],
  ],
  examples: [
    ['test', 'all examples and cases'],
    ['test rates/cases/au-vic', 'the cases of one jurisdiction'],
  ],
  exits: { done: 'all pass', refused: 'an example or case fails, the sets have faults, or there is nothing to test' },
}

export const options = {
  rates: { type: 'string', default: SETS, path: 'folder' },
  junit: { type: 'string', path: 'file' },
  output: OUTPUT,
} as const

export const operands = { path: 'file' } as const

/** One example or case, and its unmet expectations. */
interface Verdict {
  kind: 'example' | 'case'
  file: string
  line: number
  name: string
  source: string
  differences: Difference[]
}

/** Runs examples and cases; returns 1 when one fails or the files have faults. */
export function run(args: string[], terminal: Terminal): number {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const output = oneOf('output', values.output, options.output.choices)
  const named = namedFiles(positionals)
  const own = parseNamed(named)
  const beside = besideOf(own, values.rates, named.length > own.length)
  const read = named.filter((one) => one.cases).map((one) => checkKeptCases(one.text, one.file))
  const faults = [...faultsOf([...own, ...beside]), ...read.flatMap((one) => one.faults)]
  for (const fault of faults) terminal.note(describeFault(fault))
  if (faults.length > 0) {
    if (values.junit !== undefined) writeJunit(values.junit, testedFiles(named, faults))
    return 1
  }
  const snapshot = compileRateSets([...own, ...beside])
  const verdicts = [
    ...own.flatMap((file) => examplesOf(file, snapshot)),
    ...read.flatMap(({ cases }) =>
      cases.map((one): Verdict => ({ kind: 'case', ...one, differences: runCase(one, snapshot) })),
    ),
  ]
  if (values.junit !== undefined) writeJunit(values.junit, verdicts.map(testOf))
  report(verdicts, named, output, terminal)
  return verdicts.length === 0 || verdicts.some(({ differences }) => differences.length > 0) ? 1 : 0
}

/** This command reports failing examples itself, so they are not counted among the faults. */
const faultsOf = (files: readonly RateSetFile[]): LocatedFault[] =>
  checkAll(files).filter(({ check }) => check !== 'examples-pass')

function examplesOf({ spec, file, locate }: RateSetFile, snapshot: Snapshot): Verdict[] {
  const set = spec as RateSetSpec
  return (set.examples ?? []).map((example, at) => ({
    kind: 'example',
    file,
    // To find a place is to parse the file: only a report asks for it.
    get line() {
      return locate(`spec.examples[${at}]`).line
    },
    name: example.name,
    source: [example.source.name, example.source.note].filter(Boolean).join(': '),
    differences: set.withdrawn ? [] : runExampleOf(example, set, snapshot),
  }))
}

const writeJunit = (file: string, tests: readonly ReportedTest[]) =>
  writeFileSync(file, junitReport('driveaway test', tests))

const testOf = ({ file, line, name, source, differences }: Verdict): ReportedTest => {
  const failures = differences.map(({ what, expected, got, line: priced }) => ({
    type: what,
    message: `${what}: expected ${expected}, got ${got}`,
    text: [`${file}:${line}`, ...(priced ? explained(priced.explain) : []), `expected by: ${source}`].join('\n'),
  }))
  return { file, name, failures }
}

function report(verdicts: Verdict[], named: readonly NamedFile[], output: string, terminal: Terminal): void {
  const failing = verdicts.filter(({ differences }) => differences.length > 0)
  if (output === 'json') {
    const told = verdicts.map(({ kind, file, line, name, source, differences }) => {
      return { kind, file, line, name, source, passed: differences.length === 0, differences }
    })
    return terminal.write(asJson({ passed: verdicts.length - failing.length, failed: failing.length, results: told }))
  }
  for (const one of failing) for (const line of told(one, terminal)) terminal.write(line)
  const count = (kind: string) => counted(verdicts.filter((one) => one.kind === kind).length, kind)
  const all = `${count('example')}, ${count('case')} in ${counted(named.length, 'file')}`
  if (failing.length > 0) terminal.note(`${all}: ${failing.length} fail`)
  else terminal.write(`${all}: ${terminal.paint('green', 'all pass')}`)
}

function told({ file, line, name, source, differences }: Verdict, { paint }: Terminal): string[] {
  return [
    paint('bold', `${file}:${line}: ${name}`),
    ...differences.flatMap(({ what, expected, got, line: priced }) => [
      `    ${what}: expected ${paint('green', expected)}, got ${paint('red', got)}`,
      ...(priced ? explained(priced.explain).map((text) => paint('dim', `        ${text}`)) : []),
    ]),
    paint('dim', `    expected by: ${source}`),
  ]
}
