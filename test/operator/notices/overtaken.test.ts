import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../harness/wait-for.ts'
import { withOutbox } from './outbox-reader.ts'
import { clientSpec, startTellingWorld, type TellingWorld } from './telling-world.ts'

let telling: TellingWorld
beforeAll(async () => {
  telling = await startTellingWorld()
})
beforeEach(() => telling.begin())
afterAll(() => telling.stop())

test('a notice that waits while its client is suspended is not mailed afterwards once it is overtaken', async () => {
  await telling.charge('15.00')
  expect((await telling.announced(1)).map(({ client }) => client)).toEqual(['northside', 'victorian'])
  await telling.world.applyClient('northside', clientSpec('northside', true, { suspended: true }))
  await waitFor('no card', async () => !(await telling.cards()).includes('northside'))
  await telling.charge('10.00')
  await telling.announced(2)
  await telling.world.applyClient('northside', clientSpec('northside', true))
  await waitFor('the card', async () => (await telling.cards()).includes('northside'))
  const { mailbox } = await withOutbox(telling.nats.url, ({ mailboxes }) => mailboxes.read('northside'))
  expect(mailbox).toMatchObject({ last: { state: 'dropped', number: telling.before + 1 } })
  expect(mailbox.waiting).toBeUndefined()
})

test('a release that goes and comes back must last anew', async () => {
  const SETTLE_MS = 6_000
  await telling.operator.child.stop()
  await telling.startOperator({ NOTICES_SETTLE_SECONDS: String(SETTLE_MS / 1000) })
  const isCharged = (fee: string) =>
    waitFor(`the fee of ${fee}`, async () => (await telling.world.fee('au-vic-fy27')) === fee)
  await telling.charge('19.00')
  await isCharged('19.00')
  // The operator has seen it, and has told nobody yet.
  await sleep(SETTLE_MS / 2)
  await telling.charge('10.00')
  await isCharged('10.00')
  await sleep(SETTLE_MS)
  const backAt = Date.now()
  await telling.charge('19.00')
  const [notice] = await telling.mailed(1)
  expect(Date.parse(notice!.issuedAt!) - backAt).toBeGreaterThanOrEqual(SETTLE_MS)
})
