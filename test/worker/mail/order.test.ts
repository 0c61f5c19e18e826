import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replayNotice } from '../../../notices/replay.ts'
import { sign } from '../../../notices/signing.ts'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNoticeKey } from '../../notices/notice-key.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig
beforeEach(async () => void (rig = await startMailRig()))
afterEach(() => rig.close())

const isQueueEmpty = async () => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
const isOver = () => waitFor('the end', isQueueEmpty, { timeoutMs: 40_000 })
const client = 'northside'
const arrived = () => rig.mail.taken.map(({ email }) => email.text?.match(/\$\S+ → (\$[\d.]+)/)?.[1])

/** A change of the number plates, to a new amount. */
const change = (old: string, now: string) => ({
  changes: [
    {
      ...{ pricingCode: 'AU_VIC', component: 'PLATES', kind: 'rule' as const, label: 'amount' },
      ...{ about: 'figure' as const, old, new: now, from: '2027-07-01', sources: [] },
    },
  ],
})

test('a notice that is put off does not arrive after a later one: the later one takes its place', async () => {
  let first = true
  rig.mail.answers.recipient = () => (first ? ((first = false), 451) : undefined)
  await rig.worker('one', { NOTICE_RETRY_SECONDS: '3' })
  const wrong = await rig.put('1', { client, ...change('$44.20', '$54.20') })
  await waitFor('the first attempt', async () => (await rig.recordOf(wrong))?.attempts === 1)
  await rig.put('2', { client, ...change('$44.20', '$44.40') })
  await isOver()
  expect(arrived()).toEqual(['$44.40'])
})

test('while one mail of a client is under way no other goes out, though there are workers to send it', async () => {
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  let count = 0
  rig.mail.answers.data = async () => (count++ === 0 ? held.then(() => undefined) : undefined)
  await Promise.all(['one', 'two'].map((name) => rig.worker(name)))
  await rig.put('1', { client, ...change('$44.20', '$54.20') })
  await waitFor('the first to be under way', () => rig.mail.seen.length === 1)
  await rig.put('2', { client, ...change('$54.20', '$44.40') })
  const other = await rig.put('other')
  await waitFor('another client’s mail', () => rig.mailsOf(other).length === 1)
  await sleep(1_500)
  expect(rig.mail.seen).toHaveLength(2)
  answer()
  await isOver()
  expect(arrived().filter(Boolean)).toEqual(['$54.20', '$44.40'])
})

test('the mail says which notice it is and when it was written, in its text and as its date', async () => {
  rig.mail.answers.data = () => 451
  await rig.worker('one')
  const issuedAt = '2026-11-20T03:04:05.000Z'
  const notice = await rig.put('1', { client, number: 7, issuedAt, replaces: { number: 6, issuedAt } })
  await waitFor('an attempt', async () => (await rig.recordOf(notice))?.attempts === 1)
  rig.mail.answers = {}
  await isOver()
  const { email } = rig.mailsOf(notice)[0]!
  expect(new Date(email.date!).toISOString()).toBe(issuedAt)
  for (const part of [email.text, email.html]) {
    expect(part).toContain('Notice 7, issued on 20 November 2026 at 03:04 UTC')
    expect(part).toContain('replaces notice 6 of 20 November 2026 at 03:04 UTC')
  }
})

test('who is written to is read when the mail is sent: new addresses, and nobody of a client that is suspended', async () => {
  const moved = await rig.put('moved', {}, ['old@x.example'])
  const gone = await rig.put('gone', {}, ['gone@x.example'])
  const card = { client: moved.client, uid: 'u', to: ['new@x.example'] }
  await rig.store.cards.write(moved.client, await sign('recipient', card, rig.key.signing))
  await rig.store.cards.remove(gone.client)
  await rig.worker('one')
  await isOver()
  expect(rig.mail.taken.map(({ recipients }) => recipients)).toEqual([['new@x.example']])
  expect(await rig.recordOf(gone)).toMatchObject({ state: 'dropped', attempts: 0 })
})

test('a replay goes to the address of today, and not at all once a later notice went out', async () => {
  rig.mail.answers.recipient = () => 550
  await rig.worker('one')
  const first = await rig.put('first', {}, ['old@x.example'])
  const second = await rig.put('second', { client }, ['old@x.example'])
  await isOver()
  rig.mail.answers = {}
  const card = { client: first.client, uid: 'u', to: ['new@x.example'] }
  await rig.store.cards.write(first.client, await sign('recipient', card, rig.key.signing))
  const later = await rig.put('later', { client })
  await waitFor('the later one', () => rig.mailsOf(later).length === 1)
  const replayed = []
  for (const letter of await rig.store.deadLetters.list()) replayed.push(await replayNotice(letter, rig.store))
  expect(replayed.sort()).toEqual(['overtaken', 'replayed'])
  await isOver()
  expect(rig.mailsOf(first).map(({ recipients }) => recipients)).toEqual([['new@x.example']])
  expect(rig.mailsOf(second)).toEqual([])
  expect(await rig.store.deadLetters.list()).toEqual([])
})

test('nothing is sent of a notice that the operator did not sign, or signed for another client', async () => {
  const forger = await aNoticeKey('test')
  const [forged, moved, addressed] = await Promise.all(['forged', 'moved', 'addressed'].map((name) => rig.put(name)))
  const replace = async (name: string, token: string) => {
    const { mailbox, revision } = await rig.store.mailboxes.read(name)
    await rig.store.mailboxes.write(name, { waiting: { ...mailbox.waiting!, token } }, revision)
  }
  await replace(forged!.client, await sign('notice', forged, forger.signing))
  await replace(moved!.client, await sign('notice', addressed, rig.key.signing))
  const card = { client: addressed!.client, uid: 'u', to: ['victim@x.example'] }
  await rig.store.cards.write(addressed!.client, await sign('recipient', card, forger.signing))
  await rig.worker('one')
  await isOver()
  expect(rig.mail.seen).toEqual([])
  expect((await rig.store.deadLetters.list()).map(({ reason }) => reason).sort()).toEqual([
    'the notice is not of this client',
    'the signature of the notice is not valid',
    'the signature of the recipient is not valid',
  ])
})
