import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENTS_INDEX } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { createLog } from '#runtime/log.ts'
import { PUBLISH_CLIENTS } from '../../../operator/loop/keys.ts'
import { operatorMetrics } from '../../../operator/loop/metrics.ts'
import { refusalLog } from '../../../operator/loop/refusals.ts'
import { publish, type Work } from '../../../operator/loop/work.ts'
import type { Restored, Source } from '../../../operator/publish/sources.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { publishClients } from '../../../operator/showroom-client/publish.ts'
import {
  beforeSecrets,
  cacheOf,
  configMap,
  kube,
  MANY,
  newOperator,
  newPlace,
  startPlaces,
  stopPlaces,
} from './clients-place.ts'

beforeAll(startPlaces)
afterAll(stopPlaces)

test('the empty index is made before what is behind is listed, which happens once', async () => {
  const place = await newPlace()
  const isThereWhileListed: boolean[] = []
  const source = cacheOf(place, async () =>
    isThereWhileListed.push((await kube.get(configMap(CLIENTS_INDEX, place.namespace))) !== undefined),
  )
  const run = await publishClients(newOperator(place, [source]).publisher)
  expect(run.isNew).toBe(true)
  expect(isThereWhileListed).toEqual([true])
})

test('what is behind is listed while many Secrets are made, and not again afterwards', async () => {
  const place = await newPlace(MANY)
  const done: string[] = []
  const listed = Promise.withResolvers<void>()
  const source = cacheOf(place, () => Promise.resolve(listed.resolve(void done.push('listed'))))
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    await Promise.race([listed.promise, systemClock.sleep(3000)])
    done.push('Secrets')
  })
  const { index } = await publishClients(publisher)
  expect(done).toEqual(['listed', 'Secrets'])
  expect(index.sources).toEqual({ showroomclients: source.resourceVersion() })
})

test('a server that was restored while Secrets were made is found, though it was asked before', async () => {
  const place = await newPlace(MANY)
  let isAhead = false
  const listed = cacheOf(place, () => Promise.resolve())
  const source: Source = {
    ...listed,
    resourceVersion: () => (isAhead ? '999999999' : listed.resourceVersion()),
    relist: () => listed.relist().then(() => void (isAhead = false)),
  }
  const restored: string[] = []
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    if (restored.length > 0) return
    await systemClock.sleep(300)
    isAhead = true
  })
  const onRestored = ({ source, known }: Restored) => Promise.resolve(void restored.push(`${source} ${known}`))
  expect((await publishClients({ ...publisher, freshness: { sources: [source], onRestored } })).isNew).toBe(true)
  expect(restored).toEqual(['showroomclients 999999999'])
})

test('a cache that went on after the server was asked is no sign of a restore', async () => {
  const place = await newPlace(MANY)
  const listed = Promise.withResolvers<void>()
  const source = cacheOf(place, () => Promise.resolve(listed.resolve()))
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    await listed.promise
    await kube.create(configMap('anything', place.namespace))
    await source.relist()
  })
  const restored: string[] = []
  const onRestored = ({ source }: Restored) => Promise.resolve(void restored.push(source))
  await publishClients({ ...publisher, freshness: { sources: [source], onRestored } })
  expect(restored).toEqual([])
})

test('an index that others published and lost while Secrets were made is not replaced by what was read before', async () => {
  const place = await newPlace(MANY)
  const lose = [CLIENTS_INDEX, `${CLIENTS_INDEX}-history`].map((name) => configMap(name, place.namespace))
  const source = cacheOf(place, () => Promise.resolve())
  const { publisher: idle } = newOperator(place, [source])
  const publisher = beforeSecrets(idle, () => Promise.all(lose.map((each) => kube.delete(each))))
  await expect(publishClients(publisher)).rejects.toThrow(/driveaway-clients-history/)
  expect(await kube.get(lose[0]!)).toBeUndefined()
  const { isNew } = await publishClients(newOperator(place, [source]).publisher)
  expect(isNew).toBe(true)
})

test('a refused Secret that becomes due during the run is tried again at once, not only when all is looked at again', async () => {
  const { publisher } = newOperator(await newPlace())
  const log = createLog({ name: 'test', level: 'silent' })
  const work = {
    clients: { ...publisher, secrets: { ...publisher.secrets, retryAfterMs: () => 0 } },
    metrics: operatorMetrics({ rates: emptyRatesLedger(), clients: publisher.ledger }),
    ...{ refusals: refusalLog(log), log, clock: systemClock },
  } as unknown as Work
  expect((await publish(work, PUBLISH_CLIENTS)).afterMs).toBe(1)
})
