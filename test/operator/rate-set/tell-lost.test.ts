import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateSetEntry } from '#rates/published/format.ts'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { lostTeller } from '../../../operator/rate-set/tell-lost.ts'
import { announcer } from '../../../operator/status/events.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

test('the loss of a set is an event also where the index cannot be read the first time', async () => {
  const log = createLog({ name: 'test', level: 'silent' })
  const kube = kubeOf(world.controlPlane.kubeConfigFor('driveaway-operator'))
  let reads = 0
  const get: typeof kube.get = (reference, options) =>
    ++reads === 1 ? Promise.reject(new Error('no answer')) : kube.get(reference, options)
  const announce = announcer(kube, log, () => new Date())
  const tell = lostTeller({ cluster: { kube: { ...kube, get }, namespace: 'driveaway' }, announce, log })
  const entry = { name: 'au-vic-fy27', digest: 'sha256:lost' } as RateSetEntry
  const lost = new Map([[entry.name, entry]])
  const events = async () =>
    (await world.list('/apis/events.k8s.io/v1/namespaces/driveaway/events')).map(
      (event) => event as { reason?: string },
    )
  await expect(tell(lost)).rejects.toThrow('no answer')
  expect(await events()).toEqual([])
  await tell(lost)
  await tell(lost)
  expect((await events()).map(({ reason }) => reason)).toEqual(['ContentLost'])
})
