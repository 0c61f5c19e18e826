import { afterEach, expect, test } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitMs } from '../../../worker/mail/pace.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNotice } from '../../notices/opened-outbox.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig | undefined
afterEach(async () => {
  await rig?.close()
  rig = undefined
})

test('a full bucket stops no mail: what was put before goes out, and there is room again', async () => {
  const { outbox, put, store, ...rest } = (rig = await startMailRig({ replicas: 1, bytes: 16 * 1024 ** 2 }))
  const long = 'x'.repeat(200_000)
  let count = 0
  // Incompressible, so that a few fill it.
  const source = () => Array.from({ length: 4_000 }, () => Math.random().toString(36)).join('') + long.slice(0, 10)
  const fill = async () => {
    for (;;) {
      await outbox.checkRoom()
      await put(`n${count++}`, { changes: [{ ...aNotice().changes[0]!, sources: [source()] }] })
    }
  }
  await expect(fill()).rejects.toThrow('the bucket mailboxes is full')
  expect(count).toBeGreaterThan(10)
  await rest.worker('one')
  const isEmpty = async () => (await store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
  await waitFor('all mails', isEmpty, { timeoutMs: 60_000 })
  expect(rest.mail.taken).toHaveLength(count)
  await outbox.checkRoom()
})

test('a client that was mailed a moment ago waits, and what comes meanwhile is one mail', async () => {
  rig = await startMailRig()
  const { put, mail, store, worker } = rig
  await worker('one', { NOTICES_SETTLE_SECONDS: '4' })
  await put('1', { client: 'northside' })
  await waitFor('the first mail', () => mail.taken.length === 1)
  for (const name of ['2', '3', '4']) await put(name, { client: 'northside' })
  const isEmpty = async () => (await store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
  await waitFor('the rest', isEmpty, { timeoutMs: 30_000 })
  expect(mail.taken.map(({ email }) => email.messageId?.slice(0, 2))).toEqual(['<1', '<4'])
})

test('after so many mails on a day the next waits for the next day', () => {
  const pace = { settleMs: 60_000, perDay: 2 }
  const at = '2026-11-22T10:00:00.000Z'
  const now = new Date('2026-11-22T23:00:00Z')
  expect(waitMs(undefined, now, pace)).toBe(0)
  expect(waitMs({ day: '2026-11-22', count: 1, at }, now, pace)).toBe(0)
  expect(waitMs({ day: '2026-11-22', count: 2, at }, now, pace)).toBe(3_600_000)
  expect(waitMs({ day: '2026-11-22', count: 2, at }, new Date('2026-11-23T00:00:00Z'), pace)).toBe(0)
  expect(waitMs({ day: '2026-11-22', count: 1, at: now.toISOString() }, now, pace)).toBe(60_000)
})
