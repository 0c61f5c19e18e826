import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOutbox } from '../../notices/open-outbox.ts'
import type { Announcement } from '../../notices/outbox.ts'
import { unpack } from '../../notices/packed.ts'
import { ensureNoticeStorage, MAILER, NOTICES, noticeSubject } from '../../notices/storage.ts'
import { waitFor } from '../harness/wait-for.ts'
import { aNotice, openedOutbox, STORAGE, type OpenedOutbox } from './opened-outbox.ts'

let opened: OpenedOutbox
beforeEach(async () => void (opened = await openedOutbox()))
afterEach(() => opened.close())

const manager = () => jetstreamManager(opened.connection)
const waiting = async () => (await (await manager()).streams.info(NOTICES)).state.messages

/** Rate sets are not looked at here: any content of any size will do. */
const announcement = (number: number, bytes = 10): Announcement => ({
  number,
  release: `release-${number}`,
  sets: [{ pricingCode: randomBytes(bytes).toString('hex') }] as unknown as Announcement['sets'],
})

test('nothing is announced at first; then the last announcement is read as it was written, however large', async () => {
  expect(await opened.outbox.announced()).toBeUndefined()
  for (const next of [announcement(1), announcement(2, 3_000_000), announcement(3, 500_000)]) {
    await opened.outbox.announce(next)
    expect(await opened.outbox.announced()).toEqual(next)
  }
})

test('an announcement that comes late does not replace a later one', async () => {
  await opened.outbox.announce(announcement(2))
  for (const number of [1, 2]) {
    await expect(opened.outbox.announce(announcement(number))).rejects.toThrow('announcement 2 is there already')
  }
  expect(await opened.outbox.announced()).toMatchObject({ number: 2 })
})

test('of two operators that announce the same number at once, one does', async () => {
  const other = await connect({ servers: opened.nats.url })
  const second = await openOutbox(other, STORAGE)
  const results = await Promise.allSettled([
    opened.outbox.announce(announcement(1, 400_000)),
    second.announce(announcement(1, 400_000)),
  ])
  await other.close()
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await opened.outbox.announced()).toMatchObject({ number: 1 })
})

test('a notice waits once for its client and digest, from whatever connection and however often it is put', async () => {
  const notice = aNotice()
  await Promise.all([opened.outbox.put(notice), opened.outbox.put(notice)])
  await opened.nats.kill()
  await opened.nats.start()
  const other = await connect({ servers: opened.nats.url })
  await (await openOutbox(other, STORAGE)).put(notice)
  await other.close()
  await waitFor('the connection', () => opened.connection.rtt())
  expect(await waiting()).toBe(1)
  await opened.outbox.put(aNotice({ digest: 'c'.repeat(64) }))
  await opened.outbox.put(aNotice({ client: 'a.name-with.dots' }))
  expect(await waiting()).toBe(3)
})

test('a notice is stored with all that the mail needs', async () => {
  const notice = aNotice({ client: 'a.name-with.dots', to: ['one@x.example', 'two@y.example'] })
  await opened.outbox.put(notice)
  const subject = noticeSubject({ client: notice.client, digest: notice.digest, replay: 0 })
  const stored = await (await manager()).streams.getMessage(NOTICES, { last_by_subj: subject })
  expect(unpack(stored!.data)).toEqual(notice)
})

test('without the server nothing is taken to be kept', async () => {
  await opened.nats.stop()
  const { outbox } = opened
  const asked = await Promise.allSettled([outbox.put(aNotice()), outbox.announce(announcement(1)), outbox.announced()])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('the streams are as declared: a notice waits without an age limit, and a full stream refuses new ones', async () => {
  await ensureNoticeStorage(opened.connection, STORAGE)
  const { config } = await (await manager()).streams.info(NOTICES)
  expect(config).toMatchObject({ retention: 'workqueue', discard: 'new', max_age: 0, allow_direct: false })
  expect((await (await manager()).consumers.info(NOTICES, MAILER)).config.max_deliver).toBe(-1)
})

test('a stream that would forget notices is not used, and the reason names the setting', async () => {
  const streams = (await manager()).streams
  await streams.delete(NOTICES)
  await streams.add({ name: NOTICES, subjects: ['notices.*.*.*'], retention: 'limits', max_bytes: STORAGE.bytes })
  await expect(openOutbox(opened.connection, STORAGE)).rejects.toThrow(
    'stream NOTICES: retention is "limits", expected "workqueue"',
  )
})
