import { parseArgs } from 'node:util'
import { keptBatches } from './dead-letters/batches.ts'
import type { DeadLetterEntry } from './dead-letters/dead-letter.ts'
import { keptNotices } from './dead-letters/notices.ts'
import { didYouMean } from './did-you-mean.ts'
import { WrongCall, type Help } from './help.ts'
import { connectNats } from './nats.ts'
import { OUTPUT } from './options.ts'
import { asJson, oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'dead-letters list [--notices] [--nats URL]',
    'dead-letters replay job…|digest…|--all [--notices] [--nats URL]',
  ],
  about:
    'Lists and replays dead letters: batches of the inventory on which every attempt failed, or notices that could not be mailed to some or all of their addresses. A replay processes a batch again as a new job, or mails a notice again to the addresses that did not get it.',
  options: [
    ['--notices', 'notices of rate changes instead of batches'],
    ['--all', 'replay all dead letters, the oldest first'],
    [
      '--nats URL',
      'the address of NATS (default: NATS_URL, or nats://127.0.0.1:4222); NATS_SECRET_DIRECTORY contains the login',
    ],
    ['--output json', 'the list as JSON'],
  ],
  examples: [
    ['dead-letters list', 'one line per batch: job, client, time, size, cause'],
    ['dead-letters list --notices', 'one line per notice: digest, client, time, number of addresses, cause'],
    ['dead-letters replay --all --notices', 'when the mail server accepts mail again'],
  ],
  exits: { done: 'everything named was found', refused: 'something named was not found, or cannot be read' },
}

export const options = {
  nats: { type: 'string' },
  all: { type: 'boolean', default: false },
  notices: { type: 'boolean', default: false },
  output: OUTPUT,
} as const

export const operands = { choices: ['list', 'replay'] } as const

/** Lists the dead letters, or replays the named ones, oldest first; returns 1 when a named one does not exist. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const output = oneOf('output', values.output, options.output.choices)
  const [action = '', ...ids] = positionals
  checkCall(action, ids, values.all)
  const connection = await connectNats(values.nats, 'driveaway-dead-letters')
  try {
    const kept = values.notices ? await keptNotices(connection) : await keptBatches(connection)
    if (action === 'list') return list(kept, output, terminal)
    return await replayAll(values.all ? kept.map(({ id }) => id) : ids, kept, terminal)
  } finally {
    await connection.drain()
  }
}

function checkCall(action: string, ids: string[], all: boolean): void {
  if (action === 'list' && ids.length === 0 && !all) return
  if (action === 'replay' && all !== ids.length > 0) return
  if (action !== 'list' && action !== 'replay')
    throw new WrongCall(
      `expected list or replay${action && `, found ${action}${didYouMean(action, operands.choices)}`}`,
    )
  throw new WrongCall('list takes no names; replay takes names or --all')
}

function list(kept: readonly DeadLetterEntry[], output: string, terminal: Terminal): number {
  if (output === 'json') terminal.write(asJson(kept.map(({ letter }) => letter)))
  else for (const { line } of kept) terminal.write(line)
  if (kept.length === 0) terminal.note('no dead letters')
  return 0
}

async function replayAll(ids: string[], kept: readonly DeadLetterEntry[], terminal: Terminal): Promise<number> {
  const missing = ids.filter((requested) => !kept.some(({ id }) => id === requested))
  for (const id of missing) terminal.note(`${id} is not among the dead letters`)
  let unreadable = 0
  for (const { id, replay } of kept) {
    if (!ids.includes(id)) continue
    const done = await replay()
    if (done === 'unreadable') terminal.note(`${id} cannot be read; it stays a dead letter`)
    else if (done !== undefined) terminal.write(`${id} ${done}`)
    unreadable += Number(done === 'unreadable')
  }
  return missing.length + unreadable > 0 ? 1 : 0
}
