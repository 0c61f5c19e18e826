import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.startOperator()
}, 60_000)
afterAll(() => world.stop())

const ready = async (name: string) =>
  (await world.read('RateSet', name))?.status?.conditions.find(({ type }) => type === 'Ready')

test('the status of a set that imports an unpublished one follows what becomes of that one', async () => {
  const year = '2027-2028'
  await world.applySet(inventedSet('AU_QLD', { year }))
  const missing = await world.until('RateSet', 'au-qld-fy28', ['Ready', 'False', 'ImportMissing'])
  const federal = inventedSet('AU', { year, example: '11.00' })
  await world.applySet(federal)
  const waiting = await world.until('RateSet', 'au-qld-fy28', ['Ready', 'False', 'ImportHeld'])
  expect(waiting.message).toBe('waits for au-fy28, which is held: CheckFailed')
  await world.applySet({ ...federal, withdrawn: true })
  await waitFor('the withdrawal', async () =>
    (await ready('au-qld-fy28'))?.message.endsWith('au-fy28, which is held: Withdrawn'),
  )
  await world.remove('RateSet', 'au-fy28')
  const again = await world.until('RateSet', 'au-qld-fy28', ['Ready', 'False', 'ImportMissing'])
  expect(again.message).toBe(missing.message)
}, 90_000)
