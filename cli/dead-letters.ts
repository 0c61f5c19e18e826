import { parseArgs } from 'node:util'
import { keptBatches } from './dead-letters/batches.ts'
import type { Kept } from './dead-letters/kept.ts'
import { keptNotices } from './dead-letters/notices.ts'
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
    'What was given up: batches of the inventory on which every attempt failed, or notices that could not be mailed to some or all of their addresses. A replay works on a batch again as a new job, or mails a notice again, to those who did not get it.',
  options: [
    ['--notices', 'notices of rate changes instead of batches'],
    ['--all', 'replay all of them, the oldest first'],
    ['--nats URL', 'where NATS is (NATS_URL, or nats://127.0.0.1:4222); the login is in NATS_SECRET_DIRECTORY'],
    ['--output json', 'the list as JSON'],
  ],
  examples: [
    ['dead-letters list', 'one line for each batch: job, client, when, size, why'],
    ['dead-letters list --notices', 'one line for each notice: digest, client, when, to how many, why'],
    ['dead-letters replay --all --notices', 'when the mail server takes them again'],
  ],
  exits: { done: 'all that were named are there', refused: 'one that was named is not, or cannot be read' },
}

export const options = {
  nats: { type: 'string' },
  all: { type: 'boolean', default: false },
  notices: { type: 'boolean', default: false },
  output: OUTPUT,
} as const

export const operands = { choices: ['list', 'replay'] } as const

/** Lists the dead letters, or replays those named, the oldest first; 1 when one named is not there. */
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
  throw new WrongCall('list takes no names; replay takes some, or --all')
}

function list(kept: readonly Kept[], output: string, terminal: Terminal): number {
  if (output === 'json') terminal.write(asJson(kept.map(({ letter }) => letter)))
  else for (const { line } of kept) terminal.write(line)
  if (kept.length === 0) terminal.note('no dead letters')
  return 0
}

async function replayAll(ids: string[], kept: readonly Kept[], terminal: Terminal): Promise<number> {
  const missing = ids.filter((wanted) => !kept.some(({ id }) => id === wanted))
  for (const id of missing) terminal.note(`${id} is not among the dead letters`)
  let unreadable = 0
  for (const { id, replay } of kept) {
    if (!ids.includes(id)) continue
    const done = await replay()
    if (done === 'unreadable') terminal.note(`${id} cannot be read, and stays`)
    else if (done !== undefined) terminal.write(`${id} ${done}`)
    unreadable += Number(done === 'unreadable')
  }
  return missing.length + unreadable > 0 ? 1 : 0
}
