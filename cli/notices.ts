import { parseArgs } from 'node:util'
import type { Decided, HeldProgress } from '#notices/announcements.ts'
import { openNoticeStore, type NoticeStore } from '#notices/store.ts'
import { withoutNotice } from '#notices/mailbox-changes.ts'
import { isStreamMissing, unlessConflict } from '#runtime/nats/jetstream-error.ts'
import { WrongCall, type Help } from './help.ts'
import { connectNats } from './nats.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['notices list [--nats URL]', 'notices release|cancel [--nats URL]', 'notices cancel --queued [--nats URL]'],
  about:
    'Lists, releases or cancels e-mails about rate changes: the announcement that waits for a person, and the notices that wait for the mail server. release sends the announcement; cancel drops it, and no client is told of the rates. cancel --queued takes back notices that no client can have received, except those that correct a notice that a client has.',
  options: [
    ['--queued', 'cancel the notices that wait for the mail server instead of the announcement'],
    [
      '--nats URL',
      'the address of NATS (default: NATS_URL, or nats://127.0.0.1:4222); NATS_SECRET_DIRECTORY contains the login',
    ],
    ['--output json', 'the list as JSON'],
  ],
  examples: [
    ['notices list', 'what waits, for how many clients, and the subject of the mail'],
    ['notices release', 'send the waiting announcement'],
  ],
  exits: { done: 'done', refused: 'no announcement waits' },
}

export const options = {
  nats: { type: 'string' },
  queued: { type: 'boolean', default: false },
  output: OUTPUT,
} as const

export const operands = { choices: ['list', 'release', 'cancel'] } as const

/** Lists what waits, or decides on it; returns 1 when nothing waits. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const output = oneOf('output', values.output, options.output.choices)
  const [action, ...more] = positionals
  if (more.length > 0 || !isAction(action)) throw new WrongCall('expected list, release or cancel')
  if (values.queued && action !== 'cancel') throw new WrongCall('--queued goes with cancel')
  const connection = await connectNats(values.nats, 'driveaway-notices')
  try {
    const store = await openNoticeStore(connection)
    if (action === 'list') return await list(store, output, terminal)
    return values.queued ? await cancelQueued(store, terminal) : await decide(store, action, terminal)
  } catch (error) {
    // Without notices ever enabled, their storage does not exist.
    if (!isStreamMissing(error)) throw error
    return nothing(terminal)
  } finally {
    await connection.drain()
  }
}

const isAction = (action: string | undefined): action is 'list' | Decided['what'] =>
  action === 'list' || action === 'release' || action === 'cancel'

function nothing(terminal: Terminal): number {
  terminal.note('no announcement waits')
  return 1
}

async function list({ announcements, mailboxes }: NoticeStore, output: string, terminal: Terminal): Promise<number> {
  const { held } = (await announcements.read()).progress
  const waiting = [...(await mailboxes.list()).values()].filter(({ mailbox }) => mailbox.waiting).length
  if (output === 'json') terminal.write(asJson({ held: held ?? null, queued: waiting }))
  else {
    if (held) terminal.write(`held since ${held.since}, ${counted(held.clients, 'client')}: ${held.subject}`)
    else terminal.note('no announcement waits for a person')
    terminal.write(`${counted(waiting, 'notice')} queued`)
  }
  return 0
}

async function decide({ announcements }: NoticeStore, what: Decided['what'], terminal: Terminal): Promise<number> {
  for (;;) {
    const { progress, revision }: HeldProgress = await announcements.read()
    const { held } = progress
    if (!held) return nothing(terminal)
    const decided = { release: held.release, what, at: new Date().toISOString() }
    const isWritten = await announcements.write({ ...progress, decided }, revision).then(() => true, unlessConflict)
    if (!isWritten) continue
    const done = what === 'release' ? 'released' : 'cancelled: no client is told'
    terminal.write(`${held.subject}, ${counted(held.clients, 'client')}: ${done}`)
    return 0
  }
}

async function cancelQueued({ mailboxes }: NoticeStore, terminal: Terminal): Promise<number> {
  let count = 0
  for (const [client, { mailbox, revision }] of await mailboxes.list()) {
    // Kept: a notice that a client may have received (the worker finishes it), and a correction of one that was
    // received.
    if (!mailbox.waiting || mailbox.waiting.mayBeKnown || mailbox.waiting.replaces) continue
    const isWritten = await mailboxes.write(client, withoutNotice(mailbox), revision).then(() => true, unlessConflict)
    count += Number(isWritten)
  }
  terminal.write(`${counted(count, 'notice')} taken back`)
  return 0
}
