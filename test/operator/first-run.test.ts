import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '#runtime/in-parallel.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

/** So few that their statuses are written before a Secret that the watch has yet to deliver is looked for again. */
const NAMES = Array.from({ length: 20 }, (_, number) => `client-${number}`)
/** Longer than changes are collected for. */
const QUIET_MS = 300

test('an operator that starts with everything yet to be made publishes each kind in one run', async () => {
  await world.applySet(inventedSet('AU'))
  await inParallel(8, NAMES, (name) =>
    world.applyClient(name, {
      displayName: name,
      showroomCodes: ['MEL01'],
      grants: [],
      credentials: [{ secretRef: { name } }],
    }),
  )
  const { healthUrl } = await world.startOperator()
  for (const name of NAMES) await world.until('ShowroomClient', name, ['Ready', 'True'])
  await sleep(QUIET_MS)
  const text = await (await fetch(`${healthUrl}/metrics`)).text()
  const runs = [...text.matchAll(/^driveaway_publish_seconds_count\{kind="(\w+)"\} (\d+)$/gm)].map(([, ...of]) => of)
  expect(Object.fromEntries(runs)).toEqual({ rates: '1', clients: '1' })
}, 60_000)
