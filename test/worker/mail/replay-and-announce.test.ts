import { afterEach, beforeEach, expect, test } from 'vitest'
import { putNotices } from '../../../operator/notices/put-notices.ts'
import { replayNotice } from '../../../notices/replay.ts'
import { sign } from '../../../notices/signing.ts'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../../operator/invented-set.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

// One of two addresses refused a notice, which is replayed to it; while the replay waits, something else is announced.
let rig: MailRig
beforeEach(async () => void (rig = await startMailRig()))
afterEach(() => rig.close())

const to = ['taken@northside.example', 'refused@northside.example']
const recipient = { client: 'northside', uid: 'u', displayName: 'Northside Motors', to, pricingCodes: ['AU_VIC'] }
const log = { warn: () => undefined } as unknown as Parameters<typeof putNotices>[0]['log']
const isQueueEmpty = async () => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
const isOver = () => waitFor('the end', isQueueEmpty, { timeoutMs: 40_000 })

const announcement = (number: number, victoria: string, newSouthWales: string) => ({
  ...{ number, release: `r${number}` },
  sets: [inventedSet('AU'), inventedSet('AU_VIC', { fee: victoria }), inventedSet('AU_NSW', { fee: newSouthWales })],
})

async function announce(before: ReturnType<typeof announcement>, now: ReturnType<typeof announcement>): Promise<void> {
  const { outbox, key } = rig
  await outbox.keepAnnounced(now)
  const telling = { environment: 'test', today: () => '2026-06-01', issuedAt: new Date().toISOString() }
  const putter = {
    outbox,
    key: key.signing,
    telling,
    signal: new AbortController().signal,
    onPut: () => undefined,
    log,
  }
  await putNotices(putter, { announced: before, published: now }, [recipient])
  const { revision } = await outbox.announcements.read()
  await outbox.announcements.write({ announced: { number: now.number, release: now.release } }, revision)
}

const first = announcement(1, '10.00', '10.00')
const second = announcement(2, '12.00', '10.00')

/** The mails of a replay that is put off while a third announcement is made. */
async function mailsAfter(third: ReturnType<typeof announcement>, isKept: boolean) {
  await rig.outbox.keepAnnounced(first)
  await rig.outbox.cards.write(
    'northside',
    await sign('recipient', { client: 'northside', uid: 'u', to }, rig.key.signing),
  )
  rig.mail.answers.recipient = (address) => (address.startsWith('refused') ? 550 : undefined)
  await rig.worker('one', { NOTICE_RETRY_SECONDS: '2' })
  await announce(first, second)
  await waitFor('the first mail', () => rig.mail.taken.length === 1)
  await isOver()
  if (!isKept) await rig.outbox.pruneAnnounced([2])
  let putOff = 0
  rig.mail.answers.recipient = (address) => (address.startsWith('refused') ? ((putOff += 1), 451) : undefined)
  for (const letter of await rig.store.deadLetters.list())
    expect(await replayNotice(letter, rig.store)).toBe('replayed')
  // An attempt counts from its beginning; the mail server must have said no before it may say yes.
  await waitFor('an attempt that is put off', () => putOff > 0)
  await announce(second, third)
  rig.mail.answers = {}
  await isOver()
  return rig.mail.taken.slice(1).map(({ recipients, email }) => ({ recipients, text: email.text ?? '' }))
}

const told = (text: string) => [...text.matchAll(/\$[\d.]+ → \$[\d.]+/g)].map(([change]) => change)

test('an announcement of another state tells the replayed change again and takes nothing back', async () => {
  const mails = await mailsAfter(announcement(3, '12.00', '11.00'), true)
  expect(mails.flatMap(({ recipients }) => recipients)).toContain('refused@northside.example')
  expect(mails.map(({ text }) => told(text))).toEqual(mails.map(() => ['$10.00 → $12.00']))
  expect(mails.map(({ text }) => text).join()).not.toContain('takes back')
})

test('an announcement of the same figure begins where the replayed notice began', async () => {
  const mails = await mailsAfter(announcement(3, '13.00', '10.00'), true)
  expect(mails.map(({ text }) => told(text))).toEqual(mails.map(() => ['$10.00 → $13.00']))
  expect(mails.map(({ text }) => text).join()).toContain('This replaces notice 2')
})

test('where the rate sets at which it began are gone, the replay goes out and nothing is taken back', async () => {
  const mails = await mailsAfter(announcement(3, '12.00', '11.00'), false)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.recipients).toEqual(['refused@northside.example'])
  expect(told(mails[0]!.text)).toEqual(['$10.00 → $12.00'])
})
