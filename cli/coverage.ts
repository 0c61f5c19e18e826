import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { coverSets } from '#rates/coverage/cover-sets.ts'
import { dayTable } from '#rates/coverage/day-table.ts'
import { parseNotExecuted } from '#rates/coverage/not-executed.ts'
import { coverDay } from '#rates/coverage/on-day.ts'
import { coveragePage } from '#rates/coverage/page.ts'
import { isDate } from '#rates/engine/dates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { describeFault } from '#rates/files/located.ts'
import { WrongCall, type Help } from './help.ts'
import { oneOf } from './output.ts'
import { readSide } from './sides.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['coverage [--on YYYY-MM-DD | --write FILE | --check FILE] [--rates rates/sets | --context NAME]'],
  about:
    'What the rate sets price, on what evidence. On one day it is a table of what is in force, with what is missing, not priced or past its review date: the way to rehearse 1 July. Without a day it is the page of the documentation, all years of it.',
  options: [
    ['--on DATE', 'one day, as a table'],
    ['--write FILE', 'writes the page'],
    ['--check FILE', 'compares the page, and says how it is written anew'],
    ['--rates DIR', 'the rate sets (rates/sets)'],
    ['--context NAME', 'those of a cluster, by a context of KUBECONFIG'],
    ['--output json', 'the same as data'],
  ],
  examples: [['coverage --on 2027-07-01', 'is the next financial year complete?']],
  exits: { done: 'done', refused: 'the sets are at fault, a component is missing on the day, or the page differs' },
}

const options = {
  rates: { type: 'string', default: 'rates/sets' },
  context: { type: 'string' },
  on: { type: 'string' },
  write: { type: 'string' },
  check: { type: 'string' },
  output: { type: 'string', default: 'text' },
} as const

/**
 * Prints what the rate sets cover: on one day, or in all years as the page of the documentation, which it also writes or
 * compares. 0 when done, 1 when the sets are at fault, a component is missing on the day or the page differs, 2 on a wrong call.
 */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { on, write, check } = values
  const output = oneOf('output', values.output, ['text', 'json'])
  if ([on, write, check].filter((each) => each !== undefined).length > 1)
    throw new WrongCall('--on, --write and --check are one at a time')
  if (on !== undefined && !isDate(on)) throw new WrongCall(`--on takes a day, YYYY-MM-DD, not ${on}`)
  const { files } = await readSide(values.context === undefined ? values.rates : `context:${values.context}`)
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  if (faults.length > 0) return 1
  const sets = coverSets(files.map(({ spec }) => spec as RateSetSpec))
  if (on !== undefined) return printDay(coverDay(sets, on), output, terminal)
  const text = output === 'json' ? `${JSON.stringify(sets, null, 2)}\n` : coveragePage(sets, readNotExecuted())
  if (write !== undefined) writeFileSync(write, text)
  else if (check !== undefined) return compare(text, check, terminal)
  else terminal.write(text.trimEnd())
  return 0
}

function readNotExecuted() {
  const file = fileURLToPath(new URL('../rates/coverage/not-executed.yaml', import.meta.url))
  return parseNotExecuted(readFileSync(file, 'utf8'), file)
}

function printDay(day: ReturnType<typeof coverDay>, output: string, terminal: Terminal): number {
  for (const line of output === 'json' ? [JSON.stringify(day, null, 2)] : dayTable(day)) terminal.write(line)
  return day.totals.missing > 0 ? 1 : 0
}

function compare(text: string, file: string, terminal: Terminal): number {
  if (readFileSync(file, 'utf8') === text) return 0
  terminal.note(`${file} is not what the rate sets make; run: driveaway coverage --write ${file}`)
  return 1
}
