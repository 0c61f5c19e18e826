import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNoticeStore, type NoticeStore } from '../../../notices/store.ts'
import { showNotices } from '../../../worker/mail/metrics.ts'
import { aNotice, openedOutbox, type OpenedOutbox } from '../../notices/opened-outbox.ts'

let opened: OpenedOutbox
beforeAll(async () => void (opened = await openedOutbox()))
afterAll(() => opened.close())

async function read(store: () => NoticeStore | undefined): Promise<Record<string, number>> {
  const registry = new Registry()
  showNotices(registry, store, Date.now)
  const metrics = await registry.getMetricsAsJSON()
  return Object.fromEntries(metrics.map(({ name, values }) => [name.replace('driveaway_', ''), values[0]!.value]))
}

test('what waits is shown with the age of its oldest, and what was given up beside it', async () => {
  const store = await openNoticeStore(opened.connection)
  expect(await read(() => store)).toEqual({ notices_waiting: 0, notices_oldest_seconds: 0, notice_dead_letters: 0 })
  await opened.put(aNotice())
  const delivery = { client: 'northside', digest: 'e', replay: 0 }
  const { waiting } = (await store.mailboxes.read('northside')).mailbox
  await store.deadLetters.keep({ delivery, waiting: waiting!, recipients: 1, reason: 'no' })
  await sleep(1_100)
  const shown = await read(() => store)
  expect(shown).toMatchObject({ notices_waiting: 1, notice_dead_letters: 1 })
  expect(shown['notices_oldest_seconds']).toBeGreaterThan(1)
  expect(shown['notices_oldest_seconds']).toBeLessThan(30)
})

test('while NATS is away nothing is shown to be well', async () => {
  expect(Object.values(await read(() => undefined))).toEqual([NaN, NaN, NaN])
})
