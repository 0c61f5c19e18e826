import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateSetEntry } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { lostTeller } from '../../../operator/rate-set/tell-lost.ts'
import { eventLane } from '../../../operator/status/event-lane.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

test('the loss of a set is one event, also where the index cannot be read', async () => {
  const log = createLog({ name: 'test', level: 'silent' })
  const kube = kubeOf(world.controlPlane.kubeConfigFor('driveaway-operator'))
  const get: typeof kube.get = () => Promise.reject(new Error('no answer'))
  const { announce, end } = eventLane({ kube: { ...kube, get }, log, clock: systemClock })
  const tell = lostTeller({ namespace: 'driveaway', announce, log })
  const entry = { name: 'au-vic-fy27', digest: 'sha256:lost' } as RateSetEntry
  const lost = new Map([[entry.name, entry]])
  tell(lost)
  tell(lost)
  await end()
  const events = await world.list('/apis/events.k8s.io/v1/namespaces/driveaway/events')
  expect(events.map((event) => (event as { reason?: string }).reason)).toEqual(['ContentLost'])
})
