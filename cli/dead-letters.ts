import { parseArgs } from 'node:util'
import { connect } from '@nats-io/transport-node'
import type { DeadLetter } from '#inventory/dead-letters.ts'
import { replay } from '#inventory/replay.ts'
import { openStore, type InventoryStore } from '#inventory/store.ts'
import type { Terminal } from './terminal.ts'

export const usage =
  'driveaway dead-letters list|replay [job…|--all] [--nats URL] [--output text|json]   batches that were given up'

const options = {
  nats: { type: 'string' },
  all: { type: 'boolean', default: false },
  output: { type: 'string', default: 'text' },
} as const

/** Lists the dead letters, or replays those named, in the order in which they were accepted; 1 when one named is not there. */
export async function deadLetters(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action = '', ...jobs] = positionals
  if (!isWellCalled({ action, jobs, ...values })) return terminal.misused(usage)
  const servers = (values.nats ?? process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222').split(',')
  const connection = await connect({ servers, name: 'driveaway-dead-letters' })
  try {
    const store = await openStore(connection)
    const letters = await store.deadLetters.list()
    if (action === 'list') return list(letters, values.output, terminal)
    return await replayAll(values.all ? letters.map(({ jobId }) => jobId) : jobs, { letters, store, terminal })
  } finally {
    await connection.drain()
  }
}

interface Call {
  action: string
  jobs: string[]
  all: boolean
  output: string
}

function isWellCalled({ action, jobs, all, output }: Call): boolean {
  if (output !== 'text' && output !== 'json') return false
  if (action === 'list') return jobs.length === 0 && !all
  return action === 'replay' && all !== jobs.length > 0
}

function list(letters: DeadLetter[], output: string, terminal: Terminal): number {
  if (output === 'json') terminal.write(JSON.stringify(letters, undefined, 2))
  else for (const letter of letters) terminal.write(line(letter))
  if (letters.length === 0) terminal.note('no dead letters')
  return 0
}

function line({ jobId, clientId, keptAt, bytes, replays, reason }: DeadLetter): string {
  const again = replays > 0 ? `, replayed ${replays} times` : ''
  return `${jobId}  ${clientId}  ${keptAt.toISOString()}  ${bytes} bytes${again}  ${reason}`
}

interface Replaying {
  letters: DeadLetter[]
  store: InventoryStore
  terminal: Terminal
}

async function replayAll(jobs: string[], { letters, store, terminal }: Replaying): Promise<number> {
  const missing = jobs.filter((job) => !letters.some(({ jobId }) => jobId === job))
  for (const job of missing) terminal.note(`${job} is not among the dead letters`)
  for (const letter of letters) {
    if (!jobs.includes(letter.jobId)) continue
    const job = await replay(letter, store)
    if (job !== undefined) terminal.write(`${letter.jobId} replayed as job ${job}`)
  }
  return missing.length > 0 ? 1 : 0
}
