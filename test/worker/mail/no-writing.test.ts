import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { DUE_CLIENTS, MAILBOXES, NOTICE_DEAD_LETTERS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNotice } from '../../notices/opened-outbox.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

// Each test waits for most of its time, so they wait at the same time: each has servers of its own.
async function ownRig(finished: typeof onTestFinished): Promise<MailRig> {
  const rig = await startMailRig()
  finished(() => rig.close())
  return rig
}

const SLOW = { timeoutMs: 60_000 }

interface Try {
  time: string
  afterMs: number
  client: string
}

/** What a worker logged of one kind. */
const logged = ({ logOf }: MailRig, message: string): Try[] =>
  logOf('one')
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Try)

/** Milliseconds from each try to the next. */
const gaps = (tries: Try[]): number[] =>
  tries.slice(1).map(({ time }, at) => Date.parse(time) - Date.parse(tries[at]!.time))

/** Has nats-server refuse every mailbox that is larger. */
async function refuseAbove(bytes: number, { store }: MailRig): Promise<void> {
  await store.manager.streams.update(`KV_${MAILBOXES}`, { max_msg_size: bytes })
}

async function usualLimit({ store }: MailRig): Promise<number> {
  return (await store.manager.streams.info(`KV_${MAILBOXES}`)).config.max_msg_size
}

async function isQueueEmpty({ store }: MailRig): Promise<boolean> {
  return (await store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
}

test.concurrent(
  'a mailbox that cannot be written is tried ever more rarely, holds up no other client, and is mailed once',
  async ({ onTestFinished }) => {
    const rig = await ownRig(onTestFinished)
    const { put, mail, worker, mailsOf } = rig
    const usual = await usualLimit(rig)
    mail.answers.recipient = () => 451
    // One place: a client that kept its place would hold up all others.
    await worker('one', { NOTICE_RETRY_SECONDS: '6', SMTP_CONNECTIONS: '1' })
    // Random, because what is kept is packed.
    const sources = [randomBytes(20_000).toString('base64')]
    const large = await put('1', { changes: [{ ...aNotice().changes[0]!, sources }] })
    const small = await put('2')
    await waitFor('the first attempts', () => logged(rig, 'notice not sent yet').length === 2, SLOW)
    await refuseAbove(8_000, rig)
    mail.answers = {}
    const tries = () => logged(rig, 'the store failed')
    await waitFor('three tries', () => tries().length >= 3, SLOW)
    const later = await put('3')
    await waitFor('the others', () => mailsOf(small).length + mailsOf(later).length === 2, SLOW)
    expect(mailsOf(large)).toEqual([])
    expect(new Set(tries().map(({ client }) => client))).toEqual(new Set([large.client]))
    // A half of each delay is certain, of 2, 4 and 8 seconds: the first delivery was the attempt.
    const delays = tries().map(({ afterMs }) => afterMs)
    expect(delays.slice(0, 3).map((afterMs, at) => afterMs >= 1_000 * 2 ** at)).toEqual([true, true, true])
    expect(gaps(tries()).filter((gap, at) => gap < delays[at]! - 50)).toEqual([])
    await refuseAbove(usual, rig)
    await waitFor('the rest', () => isQueueEmpty(rig), SLOW)
    expect([large, small, later].map((notice) => mailsOf(notice).length)).toEqual([1, 1, 1])
  },
  240_000,
)

test.concurrent(
  'where nothing can be written any more once a mail was taken, that is tried ever more rarely, and none goes out twice',
  async ({ onTestFinished }) => {
    const rig = await ownRig(onTestFinished)
    const { put, mail, worker, mailsOf, recordOf } = rig
    const usual = await usualLimit(rig)
    mail.answers.data = () => refuseAbove(1, rig).then(() => undefined)
    await worker('one')
    const notice = await put('1')
    const tries = () => logged(rig, 'the result of the notice is not stored yet')
    await waitFor('five tries', () => tries().length >= 5, SLOW)
    const early = gaps(tries()).filter((gap, at) => gap < 125 * 2 ** at - 50)
    expect(early).toEqual([])
    mail.answers = {}
    await refuseAbove(usual, rig)
    await waitFor('the end', () => isQueueEmpty(rig), SLOW)
    expect(mailsOf(notice)).toHaveLength(1)
    expect(await recordOf(notice)).toEqual({ state: 'sent', attempts: 1, accepted: 1, refused: 0 })
  },
  240_000,
)

test.concurrent(
  'a notice whose time runs out while nothing can be written is given up once writing works, and is not mailed',
  async ({ onTestFinished }) => {
    const rig = await ownRig(onTestFinished)
    const { put, mail, worker, mailsOf, recordOf, store } = rig
    const usual = await usualLimit(rig)
    mail.answers.recipient = () => 451
    await worker('one', { NOTICE_RETRY_SECONDS: '3', NOTICE_GIVE_UP_SECONDS: '7' })
    const notice = await put('1')
    const endsAt = Date.now() + 7_000
    await waitFor('the first attempt', () => logged(rig, 'notice not sent yet').length === 1, SLOW)
    await refuseAbove(1, rig)
    mail.answers = {}
    const isLate = ({ time }: Try) => Date.parse(time) > endsAt
    const tries = () => logged(rig, 'the store failed')
    await waitFor('a try after the time has run out', () => tries().some(isLate), SLOW)
    expect((await recordOf(notice))?.state).toBe('waiting')
    await refuseAbove(usual, rig)
    await waitFor('the end', () => isQueueEmpty(rig), SLOW)
    expect(mailsOf(notice)).toEqual([])
    expect(await recordOf(notice)).toMatchObject({ state: 'dead', accepted: 0, refused: 0 })
    expect((await store.manager.streams.info(NOTICE_DEAD_LETTERS)).state.messages).toBe(1)
  },
  240_000,
)
