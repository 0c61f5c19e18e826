import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { compareSets } from '#rates/diff/compare-sets.ts'
import type { ComparedSide } from '#rates/diff/held-sets.ts'
import { describeFault } from '#rates/files/located.ts'
import { shadow, type Shadow } from '#rates/shadow/shadow.ts'
import { committedPortfolio } from './diff/committed-portfolio.ts'
import { WrongCall, type Help } from './help.ts'
import { asJson, oneOf } from './output.ts'
import { shadowLines } from './shadow/lines.ts'
import { readRequests } from './shadow/read-requests.ts'
import { isBundle } from './side-files.ts'
import { compiled, readSide, releasedSide, specsOf } from './sides.ts'
import type { Terminal } from './terminal.ts'
import { localDay } from './today.ts'

export const help: Help = {
  usage: ['shadow --requests FILE --candidate SIDE [--current SIDE] [--format text|json] [--exit-code]'],
  about:
    'Prices the requests of real clients with two releases side by side, before the candidate is promoted. First comes what moves and diff does not explain: no changed figure and no quote of its portfolio says it. Then comes everything that moves, by component, with the request that moves most. A side is a folder, a Git revision git:REV[:path], a bundle, or the release in force of a cluster, context:NAME.',
  options: [
    [
      '--requests FILE',
      'the decision log of a pricing API, or bodies of POST /v1/quote, one a line; - reads standard input',
    ],
    ['--candidate SIDE', 'the rates that are to be promoted'],
    ['--current SIDE', 'the rates to compare with (default: context:, the release in force of the current context)'],
    ['--keys FILE', 'the trusted release keys, if a side is a bundle'],
    ['--format json', 'the result as JSON'],
    ['--exit-code', 'exit with 1 if anything moves'],
  ],
  examples: [
    ['shadow --requests decisions.jsonl --candidate git:HEAD', 'what a promotion of HEAD does to real quotes'],
    ['shadow --requests decisions.jsonl --current git:origin/main --candidate rates/sets', 'without a cluster'],
  ],
  exits: {
    done: 'diff explains everything that moves',
    refused:
      'the candidate has faults, or something moves that diff does not explain; with --exit-code, anything moves',
  },
}

export const options = {
  requests: { type: 'string', path: 'file' },
  candidate: { type: 'string', path: 'folder' },
  current: { type: 'string', default: 'context:', path: 'folder' },
  keys: { type: 'string', path: 'file' },
  format: { type: 'string', default: 'text', choices: ['text', 'json'] },
  output: { type: 'string', default: 'text', choices: ['text', 'json'] },
  'exit-code': { type: 'boolean', default: false },
} as const

/** Prints what moves. Returns 1 when the candidate has faults, or when something moves that `diff` does not explain. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args, options })
  const output = oneOf('output', values.output, options.output.choices)
  const format = output === 'json' ? output : oneOf('format', values.format, options.format.choices)
  const { requests, candidate, current, keys } = values
  if (!requests || !candidate) throw new WrongCall('--requests and --candidate are expected')
  const { logged, unreadable } = readRequests(requests)
  const now = await sideAt(candidate, keys, terminal)
  if (!now) return 1
  const old = await sideAt(current, keys, terminal)
  if (!old) return 1
  const told = compareSets(old, now, { today: localDay(new Date()), portfolio: committedPortfolio() })
  const found = shadow(logged, { current: old.snapshot, candidate: now.snapshot, told })
  const result = { ...found, notPriced: [...unreadable, ...found.notPriced] }
  if (result.requests === 0) throw new WrongCall(`${requests} has no request that can be priced`)
  write(result, [old, now], format, terminal)
  return result.unexplained.length > 0 || (values['exit-code'] && result.different > 0) ? 1 : 0
}

function write(result: Shadow, [old, now]: [ComparedSide, ComparedSide], format: string, terminal: Terminal): void {
  const [current, candidate] = [old, now].map(({ label, snapshot: { release } }) => ({ label, release }))
  if (format === 'json') return terminal.write(asJson({ current, candidate, ...result }))
  for (const line of shadowLines(result, [current!, candidate!], terminal)) terminal.write(line)
}

/** The rates of a side; undefined where they have faults, which are written. */
async function sideAt(label: string, keys: string | undefined, terminal: Terminal): Promise<ComparedSide | undefined> {
  if (isBundle(label) || label.startsWith('context:')) return releasedSide(label, keys)
  const side = await readSide(label)
  const faults = checkAll(side.files)
  for (const fault of faults) terminal.note(describeFault(fault))
  return faults.length > 0 ? undefined : { label, specs: specsOf(side), snapshot: compiled(side) }
}
