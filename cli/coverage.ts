import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { coverSets } from '#rates/coverage/cover-sets.ts'
import { dayTable } from '#rates/coverage/day-table.ts'
import { parseNotExecuted } from '#rates/coverage/not-executed.ts'
import { parseNotFound } from '#rates/coverage/not-found.ts'
import { coverDay } from '#rates/coverage/on-day.ts'
import { coveragePage } from '#rates/coverage/page.ts'
import { publishedAnswers, publishedPage } from '#rates/coverage/published-answers.ts'
import { isDate } from '#rates/engine/dates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault } from '#rates/files/located.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { WrongCall, type Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { oneOf } from './output.ts'
import { readSide } from './sides.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'coverage [--on YYYY-MM-DD | --write FILE | --check FILE] [--published] [--rates rates/sets | --context NAME]',
  ],
  about:
    'Shows what the rate sets price and on what evidence. With --on it prints a table of the rules in force on that day, and of what is missing, not priced or past its review date: use it to rehearse 1 July. Without --on it prints the page of the documentation for all years.',
  options: [
    ['--on DATE', 'one day, as a table'],
    ['--published', 'the page of published examples instead: what each source says, beside what the rates give'],
    ['--write FILE', 'writes the page'],
    ['--check FILE', 'compares the page, and names the command that rewrites it'],
    ['--rates DIR', 'the rate sets (default: rates/sets)'],
    ['--context NAME', 'the rate sets of a cluster: a context of KUBECONFIG, in its namespace or driveaway'],
    ['--output json', 'the result as JSON'],
  ],
  examples: [['coverage --on 2027-07-01', 'is the next financial year complete?']],
  exits: { done: 'done', refused: 'the sets have faults, a component is missing on the day, or the page differs' },
}

export const options = {
  rates: { type: 'string', default: 'rates/sets', path: 'folder' },
  context: { type: 'string' },
  on: { type: 'string' },
  write: { type: 'string', path: 'file' },
  check: { type: 'string', path: 'file' },
  published: { type: 'boolean', default: false },
  output: OUTPUT,
} as const

/**
 * Prints what the rate sets cover: on one day, or in all years as the page of the documentation, which the command can
 * also write or compare. Returns 1 when the sets have faults, a component is missing on the day, or the page differs.
 */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { on, write, check, published } = values
  const output = oneOf('output', values.output, options.output.choices)
  refuseTogether(values)
  const { files } = await readSide(values.context === undefined ? values.rates : `context:${values.context}`)
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  if (faults.length > 0) return 1
  if (on !== undefined) return printDay(coverDay(coverSets(specsOf(files)), on), output, terminal)
  const { data, page } = published ? publishedOf(files) : coverageOf(files)
  const text = output === 'json' ? `${JSON.stringify(data, null, 2)}\n` : page()
  if (write !== undefined) writeFileSync(write, text)
  else if (check !== undefined) return compare(text, { file: check, published }, terminal)
  else terminal.write(text.trimEnd())
  return 0
}

interface Asked {
  on?: string
  write?: string
  check?: string
  published: boolean
}

/** Throws WrongCall for options that exclude one another. */
function refuseTogether({ on, write, check, published }: Asked): void {
  if ([on, write, check].filter((each) => each !== undefined).length > 1)
    throw new WrongCall('--on, --write and --check exclude each other')
  if (on !== undefined && published) throw new WrongCall('--published covers all years and does not go with --on')
  if (on !== undefined && !isDate(on)) throw new WrongCall(`--on: expected a day YYYY-MM-DD, found ${on}`)
}

const specsOf = (files: readonly RateSetFile[]) => files.map(({ spec }) => spec as RateSetSpec)

function coverageOf(files: readonly RateSetFile[]) {
  const data = coverSets(specsOf(files))
  return { data, page: () => coveragePage(data, readLists()) }
}

function publishedOf(files: RateSetFile[]) {
  const data = publishedAnswers(specsOf(files), compileRateSets(files))
  return { data, page: () => publishedPage(data) }
}

const readLists = () => ({
  notExecuted: readList('not-executed.yaml', parseNotExecuted),
  notFound: readList('not-found.yaml', parseNotFound),
  notShown: readList('not-shown.yaml', parseNotFound),
})

function readList<T>(name: string, parse: (text: string, file: string) => T[]): T[] {
  const file = fileURLToPath(new URL(`../rates/coverage/${name}`, import.meta.url))
  return parse(readFileSync(file, 'utf8'), file)
}

function printDay(day: ReturnType<typeof coverDay>, output: string, terminal: Terminal): number {
  for (const line of output === 'json' ? [JSON.stringify(day, null, 2)] : dayTable(day)) terminal.write(line)
  return day.totals.missing > 0 ? 1 : 0
}

function compare(text: string, { file, published }: { file: string; published: boolean }, terminal: Terminal): number {
  if (readFileSync(file, 'utf8') === text) return 0
  terminal.note(
    `${file} does not match the rate sets; run: driveaway coverage ${published ? '--published ' : ''}--write ${file}`,
  )
  return 1
}
