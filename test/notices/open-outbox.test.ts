import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOutbox } from '../../notices/open-outbox.ts'
import type { Announcement } from '../../notices/outbox.ts'
import { ensureNoticeStorage, MAILER, DUE_CLIENTS } from '../../notices/storage.ts'
import { waitFor } from '../harness/wait-for.ts'
import { aNotice, openedOutbox, STORAGE, type OpenedOutbox } from './opened-outbox.ts'

let opened: OpenedOutbox
beforeEach(async () => void (opened = await openedOutbox()))
afterEach(() => opened.close())

const manager = () => jetstreamManager(opened.connection)
const due = async () => (await (await manager()).streams.info(DUE_CLIENTS)).state.messages

/** Rate sets are not looked at here: any content of any size will do. */
const announcement = (number: number, bytes = 10): Announcement => ({
  number,
  release: `release-${number}`,
  sets: [{ pricingCode: randomBytes(bytes).toString('hex') }] as unknown as Announcement['sets'],
})

test('the rate sets of announcements are read as they were kept, however large, until they are forgotten', async () => {
  const { outbox } = opened
  expect(await outbox.announced(1)).toBeUndefined()
  const kept = [announcement(1), announcement(2, 3_000_000), announcement(3, 500_000)]
  for (const next of kept) await outbox.keepAnnounced(next)
  for (const one of kept) expect(await outbox.announced(one.number)).toEqual(one)
  await outbox.pruneAnnounced([2])
  expect(await Promise.all([1, 2, 3].map(async (number) => (await outbox.announced(number))?.number))).toEqual([
    ...[undefined, 2, undefined],
  ])
})

test('of two operators that announce at once, one does', async () => {
  const other = await connect({ servers: opened.nats.url })
  const second = await openOutbox(other, STORAGE)
  const results = await Promise.allSettled(
    [opened.outbox, second].map(({ announcements }, at) =>
      announcements.write({ announced: { number: 1, release: `of ${at}` } }, 0),
    ),
  )
  await other.close()
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await opened.outbox.announcements.read()).progress.announced).toMatchObject({ number: 1 })
})

test('a client has one mailbox and is due once, however often a notice is put, also over a restart of the server', async () => {
  await opened.put(aNotice())
  await opened.nats.kill()
  await opened.nats.start()
  await waitFor('the connection', () => opened.connection.rtt())
  await opened.put(aNotice({ digest: 'c'.repeat(64), number: 3 }))
  expect(await due()).toBe(1)
  expect((await opened.outbox.mailboxes.read('northside')).mailbox.waiting).toMatchObject({ number: 3 })
  await opened.put(aNotice({ client: 'a.name-with.dots' }))
  expect(await due()).toBe(2)
  expect([...(await opened.outbox.mailboxes.list()).keys()].sort()).toEqual(['a.name-with.dots', 'northside'])
})

test('a mailbox is written only over the version that was read', async () => {
  const { mailboxes } = opened.outbox
  const { revision } = await mailboxes.write('northside', { knows: 1 }, 0)
  await mailboxes.write('northside', { knows: 2 }, revision)
  await expect(mailboxes.write('northside', { knows: 3 }, revision)).rejects.toThrow('wrong last sequence')
  await mailboxes.remove('northside')
  expect((await mailboxes.read('northside')).mailbox).toEqual({})
})

test('without the server nothing is taken to be kept', async () => {
  await opened.nats.stop()
  const { outbox } = opened
  const asked = await Promise.allSettled([
    outbox.mailboxes.write('northside', {}, 0),
    outbox.keepAnnounced(announcement(1)),
    outbox.announcements.read(),
    outbox.markDue('northside'),
  ])
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']))
})

test('the streams are as declared: a due client waits without an age limit, and a full stream refuses new ones', async () => {
  await ensureNoticeStorage(opened.connection, STORAGE)
  const { config } = await (await manager()).streams.info(DUE_CLIENTS)
  expect(config).toMatchObject({ retention: 'workqueue', discard: 'new', max_age: 0, allow_direct: false })
  expect((await (await manager()).consumers.info(DUE_CLIENTS, MAILER)).config.max_deliver).toBe(-1)
})

test('a stream that would forget who is due is not used, and the reason names the setting', async () => {
  const streams = (await manager()).streams
  await streams.delete(DUE_CLIENTS)
  await streams.add({ name: DUE_CLIENTS, subjects: ['notice-turns.*'], retention: 'limits', max_bytes: STORAGE.bytes })
  await expect(openOutbox(opened.connection, STORAGE)).rejects.toThrow(
    `stream ${DUE_CLIENTS}: retention is "limits", expected "workqueue"`,
  )
})
