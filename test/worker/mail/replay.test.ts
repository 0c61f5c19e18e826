import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replayNotice } from '../../../notices/replay.ts'
import { sign } from '../../../notices/signing.ts'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { stateOf } from '../../../notices/tell.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNoticeKey } from '../../notices/notice-key.ts'
import { inventedSet } from '../../operator/invented-set.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig
beforeEach(async () => void (rig = await startMailRig()))
afterEach(() => rig.close())

const isQueueEmpty = async () => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
const isOver = () => waitFor('the end', isQueueEmpty, { timeoutMs: 40_000 })

/** Announces rate sets that charge this in Victoria, in an announcement later than any notice of the test. */
async function announce(fee: string): Promise<void> {
  const announced = { number: 99, release: 'later' }
  await rig.outbox.keepAnnounced({ ...announced, sets: [inventedSet('AU_VIC', { fee })] })
  const { revision } = await rig.outbox.announcements.read()
  await rig.outbox.announcements.write({ announced }, revision)
}

async function replayAll(): Promise<string[]> {
  const done = []
  for (const letter of await rig.store.deadLetters.list()) done.push(await replayNotice(letter, rig.store))
  return done
}

/** A dead letter of a notice of $12.00. */
async function aDeadLetter(over: object = {}) {
  rig.mail.answers.recipient = () => 550
  await rig.worker('one')
  const states = { AU_VIC: stateOf('AU_VIC', [inventedSet('AU_VIC', { fee: '12.00' })]) }
  const notice = await rig.put('dead', { states, ...over })
  await isOver()
  rig.mail.answers = {}
  return notice
}

test('a replay of what was taken back since is not mailed', async () => {
  const notice = await aDeadLetter()
  await announce('10.00')
  expect(await replayAll()).toEqual(['overtaken'])
  await isOver()
  expect(rig.mailsOf(notice)).toEqual([])
  expect(await rig.store.deadLetters.list()).toEqual([])
})

test('a replay of what still holds is mailed, whatever else was announced since', async () => {
  const notice = await aDeadLetter()
  await announce('12.00')
  expect(await replayAll()).toEqual(['replayed'])
  await isOver()
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

/** The card of a client of the same name that was made later. */
async function cardOfAnother(client: string): Promise<void> {
  const card = { client, uid: 'another', to: ['stranger@x.example'] }
  await rig.store.cards.write(client, await sign('recipient', card, rig.key.signing))
}

test('a replay does not go to another client of the same name, and a suspended one keeps it', async () => {
  const notice = await aDeadLetter({ uid: 'uid-of-client-dead' })
  await rig.store.cards.remove(notice.client)
  expect(await replayAll()).toEqual(['nobody'])
  await cardOfAnother(notice.client)
  expect(await replayAll()).toEqual(['another'])
  await isOver()
  expect(rig.mail.taken).toEqual([])
})

test('what waited for a client is not mailed to another of the same name', async () => {
  const notice = await rig.put('waiting', { uid: 'the first' })
  await cardOfAnother(notice.client)
  await rig.worker('one')
  await isOver()
  expect(rig.mail.seen).toEqual([])
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'dropped' })
})

test('a server that takes mails and never answers gets no more of a notice than a client gets mails', async () => {
  rig.mail.answers.data = () => new Promise<undefined>(() => undefined)
  await rig.worker('one', { SMTP_TIMEOUT_SECONDS: '0.5', NOTICE_RETRY_SECONDS: '0.1', NOTICES_PER_DAY: '2' })
  const notice = await rig.put('unanswered')
  await waitFor('two attempts', async () => ((await rig.recordOf(notice))?.attempts ?? 0) >= 2)
  await sleep(4_000)
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'waiting', attempts: 2 })
  expect(rig.mail.seen).toHaveLength(2)
})

test('a server that takes mails and never answers gets three of a notice, which is then a dead letter that no address refused', async () => {
  rig.mail.answers.data = () => new Promise<undefined>(() => undefined)
  await rig.worker('one', { SMTP_TIMEOUT_SECONDS: '0.5', NOTICE_RETRY_SECONDS: '0.1' })
  const notice = await rig.put('copies')
  await waitFor('the end', async () => (await rig.recordOf(notice))?.state === 'dead', { timeoutMs: 30_000 })
  expect(await rig.recordOf(notice)).toMatchObject({ attempts: 3, refused: 0 })
  expect(rig.mail.seen).toHaveLength(3)
  const [letter] = await rig.store.deadLetters.list()
  expect(letter).toMatchObject({ recipients: 1 })
  expect(letter!.reason).toMatch(/^the mail server received the mail 3 times without confirming it/)
  rig.mail.answers = {}
  expect(await replayAll()).toEqual(['replayed'])
  await isOver()
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('a server that falls silent before it takes anything is tried for as long as notices are, and uses up no day', async () => {
  rig.mail.answers.recipient = () => 'silence'
  await rig.worker('one', { SMTP_TIMEOUT_SECONDS: '0.5', NOTICE_RETRY_SECONDS: '0.1', NOTICES_PER_DAY: '1' })
  const notice = await rig.put('silent')
  await waitFor('many attempts', async () => ((await rig.recordOf(notice))?.attempts ?? 0) > 4, { timeoutMs: 30_000 })
  rig.mail.answers = {}
  await isOver()
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('one notice is one mail of the day, however many attempts its addresses take', async () => {
  const deferred = new Set(['b@x.example', 'c@x.example'])
  rig.mail.answers.recipient = (address) => (deferred.delete(address) ? 451 : undefined)
  await rig.worker('one')
  const notice = await rig.put('many', {}, ['a@x.example', 'b@x.example', 'c@x.example'])
  await isOver()
  const { mailbox } = await rig.store.mailboxes.read(notice.client)
  expect(mailbox).toMatchObject({ last: { state: 'sent', accepted: 3 }, mailed: { count: 1 } })
  expect(mailbox.last!.attempts).toBeGreaterThan(1)
})

test('a notice of a key that is not trusted counts as no refused address', async () => {
  const forger = await aNoticeKey('another')
  const notice = await rig.put('forged')
  const { mailbox, revision } = await rig.store.mailboxes.read(notice.client)
  const token = await sign('notice', notice, forger.signing)
  await rig.store.mailboxes.write(notice.client, { waiting: { ...mailbox.waiting!, token } }, revision)
  await rig.worker('one')
  await isOver()
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'dead', refused: 0 })
  expect(await rig.store.deadLetters.list()).toMatchObject([{ recipients: 1 }])
})
