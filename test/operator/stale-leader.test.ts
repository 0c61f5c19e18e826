import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWatchFreezer } from './watch-freezer.ts'
import { startWorld, type RunningOperator, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

const spec = (more: Partial<ShowroomClientSpec> = {}): ShowroomClientSpec => ({
  ...{ displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants: ['pricing:quote'] },
  credentials: [{ secretRef: { name: 'northside' } }],
  ...more,
})

const metrics = async ({ healthUrl }: RunningOperator) => (await fetch(`${healthUrl}/metrics`)).text()

/** What is published of fee and suspension, and by which publications. */
async function state() {
  const [rates, { index, clients }] = [await world.published(), await world.publishedClients()]
  const fee = await world.fee('au-nsw-fy27')
  return { fee, suspended: clients.get('northside')?.suspended, sequences: [rates.index.sequence, index.sequence] }
}

test('a leader whose watches are silent neither restores an old price nor lifts a suspension, and finds out', async () => {
  const freezer = await startWatchFreezer(world.controlPlane, 'driveaway-operator', [
    'ratesets',
    'showroomclients',
    'secrets',
  ])
  const first = await world.startOperator()
  await world.applySet(inventedSet('AU'))
  await world.applySet(inventedSet('AU_NSW', { fee: '10.00' }))
  await world.applyClient('northside', spec())
  await waitFor('the first state', async () => (await state()).suspended === false, { timeoutMs: 30_000 })
  const standby = await world.startOperator({ KUBECONFIG: freezer.kubeconfig })
  await waitFor('the standby', async () => (await fetch(`${standby.healthUrl}/readyz`)).ok, { timeoutMs: 30_000 })
  freezer.freeze()

  await world.applyClient('northside', spec({ suspended: true }))
  await world.applySet(inventedSet('AU_NSW', { fee: '77.00' }))
  const isChanged = async () => {
    const { fee, suspended } = await state()
    return fee === '77.00' && suspended === true
  }
  await waitFor('the change by the first leader', isChanged, { timeoutMs: 20_000 })
  const before = await state()
  await first.child.stop()

  // Every state that is published from here on is looked at.
  const seen: unknown[] = []
  const found = await waitFor(
    'the new leader to find that its caches are behind',
    async () => {
      const now = await state()
      if (now.fee !== '77.00' || now.suspended !== true) seen.push(now)
      const text = await metrics(standby)
      const isLeader = /driveaway_operator_leader 1/.test(text)
      return isLeader && ['ratesets', 'showroomclients'].every((each) => text.includes(`source="${each}"`)) && text
    },
    { timeoutMs: 30_000, everyMs: 50 },
  )
  expect(found).toMatch(/driveaway_stale_caches_total\{source="ratesets"\} [1-9]/)
  await world.applySet(inventedSet('AU_TAS', { fee: '5.00' }))
  expect(seen).toEqual([])
  expect(await state()).toEqual(before)
  freezer.thaw()
  await waitFor('the new leader to publish', async () => (await world.fee('au-tas-fy27')) === '5.00', {
    timeoutMs: 30_000,
  })
  expect(await state()).toMatchObject({ fee: '77.00', suspended: true })
  await standby.child.stop()
  freezer.close()
}, 180_000)
