import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { compareSets, type Comparison } from '#rates/diff/compare-sets.ts'
import { isDate } from '#rates/engine/dates.ts'
import { describeFault } from '#rates/files/located.ts'
import { committedPortfolio } from './diff/committed-portfolio.ts'
import { comparisonLines } from './diff/lines.ts'
import { comparisonMarkdown } from './diff/markdown.ts'
import { namedClient } from './diff/named-client.ts'
import { previewNotice, previewText } from './diff/preview-notice.ts'
import { WrongCall, type Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { asJson, oneOf } from './output.ts'
import { localDay } from './today.ts'
import { compiled, readSide, specsOf, type SideOf } from './sides.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'diff OLD NEW [--format text|markdown|json] [--today YYYY-MM-DD] [--exit-code]',
    'diff OLD NEW --notice [--client FILE|NAME] [--output text|json]',
  ],
  about:
    'Compares two versions of the rate sets. A side is a folder, a Git revision git:REV[:path], or a cluster context:NAME.\nFirst come the changed figures by component: old, new, from which day, by which source. Then a fixed portfolio of vehicles (each body and fuel, new and used, with a price on both sides of every edge) is priced with both sides: the largest difference comes first. Last come the digests that will be published. A change to past days is marked as a correction.',
  options: [
    ['--format markdown', 'Markdown for a comment on a pull request'],
    ['--output json', 'the result as JSON, with every figure'],
    ['--today DATE', 'the day to use as today; days before it are past'],
    ['--exit-code', 'exit with 1 if there is a difference'],
    ['--notice', 'prints only the mail that a client would get; with --output json also its HTML'],
    [
      '--client FILE',
      'the client: a manifest, or a name if a side is a cluster (default: a client subscribed to every change)',
    ],
  ],
  examples: [
    ['diff git:HEAD rates/sets', 'uncommitted changes'],
    ['diff git:origin/main git:HEAD --format markdown', 'a pull request'],
    ['diff context:production rates/sets', 'what production would publish'],
    ['diff git:origin/main rates/sets --notice', 'the mail that clients would get'],
  ],
  exits: {
    done: 'compared',
    refused: 'NEW has faults, or one of its examples fails; with --exit-code, the sides differ',
  },
}

export const options = {
  format: { type: 'string', default: 'text', choices: ['text', 'markdown', 'json'] },
  output: OUTPUT,
  today: { type: 'string' },
  'exit-code': { type: 'boolean', default: false },
  notice: { type: 'boolean', default: false },
  client: { type: 'string', path: 'file' },
} as const

export const operands = { path: 'folder' } as const

/**
 * Prints the differences between two sides. Returns 1 when the new side has faults, or differs and the call asked for
 * that exit code.
 */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const call = calledWith(args)
  const old = await readSide(call.before)
  const now = await readSide(call.after)
  const faults = faultsOf(now, terminal)
  if (faults.standing > 0) return 1
  const exit = faults.failing > 0 ? 1 : 0
  if (call.notice) return (terminal.write(await noticeOf(call, old, now)), exit)
  const comparison = compare(old, now, call.today)
  if (call.format === 'json') terminal.write(asJson(comparison))
  else if (call.format === 'markdown') terminal.write(comparisonMarkdown(comparison))
  else for (const line of comparisonLines(comparison, terminal)) terminal.write(line)
  return call.exitCode && comparison.sets.length > 0 ? 1 : exit
}

/** The parsed call; throws WrongCall. */
function calledWith(args: string[]) {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const output = oneOf('output', values.output, options.output.choices)
  const format = output === 'json' ? output : oneOf('format', values.format, options.format.choices)
  const [before, after, ...rest] = positionals
  if (before === undefined || after === undefined || rest.length > 0)
    throw new WrongCall('expected two sides, OLD and NEW')
  const today = values.today ?? localDay(new Date())
  if (!isDate(today)) throw new WrongCall(`--today: expected a day YYYY-MM-DD, found ${today}`)
  const { notice, client } = values
  if (client !== undefined && !notice) throw new WrongCall('--client goes with --notice')
  if (notice && format === 'markdown') throw new WrongCall('--notice has no Markdown format')
  return { before, after, format, today, notice, client, exitCode: values['exit-code'] }
}

type Call = ReturnType<typeof calledWith>

async function noticeOf({ before, after, today, client, format }: Call, old: SideOf, now: SideOf): Promise<string> {
  const { release } = compiled(now)
  const named = client === undefined ? undefined : await namedClient(client, [before, after])
  const preview = previewNotice({ old: specsOf(old), now: specsOf(now), release, today, client: named })
  return previewText(preview, format === 'json' ? 'json' : 'text')
}

function compare(old: SideOf, now: SideOf, today: string): Comparison {
  const sides = [old, now].map((side) => ({ label: side.label, specs: specsOf(side), snapshot: compiled(side) }))
  return compareSets(sides[0]!, sides[1]!, { today, portfolio: committedPortfolio() })
}

/** Prints the faults of a side and counts them: `standing` ones prevent a comparison, `failing` examples do not. */
function faultsOf({ files }: SideOf, terminal: Terminal): { standing: number; failing: number } {
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  const failing = faults.filter(({ check }) => check === 'examples-pass').length
  return { standing: faults.length - failing, failing }
}
