import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig | undefined
afterEach(async () => {
  await rig?.close()
  rig = undefined
})

const DAY_MS = 86_400_000
const CLOCK = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url))
/** What the worker's clock says is left of its day when the worker is started. */
const LEFT_MS = 25_000

test('after the last mail of a day, what changes is one mail on the next day', async () => {
  const { put, mail, store, worker } = (rig = await startMailRig())
  const shift = DAY_MS - (Date.now() % DAY_MS) - LEFT_MS
  const midnight = Date.now() + LEFT_MS
  const arrivals: number[] = []
  mail.answers.data = () => void arrivals.push(Date.now())
  const client = 'northside'
  await put('1', { client })
  await worker('one', { NOTICES_PER_DAY: '1', NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: String(shift) })
  await waitFor('the first mail', () => mail.taken.length === 1, { timeoutMs: 20_000 })
  for (const name of ['2', '3']) await put(name, { client })
  const isEmpty = async () => (await store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
  await waitFor('the next day', isEmpty, { timeoutMs: 60_000 })
  expect(mail.taken.map(({ email }) => email.messageId?.slice(0, 2))).toEqual(['<1', '<3'])
  expect(arrivals[0]).toBeLessThan(midnight)
  expect(arrivals[1]).toBeGreaterThanOrEqual(midnight)
}, 120_000)
