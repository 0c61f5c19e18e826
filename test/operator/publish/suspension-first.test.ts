import type { V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { systemClock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients } from '../../../operator/showroom-client/publish.ts'
import type { RemadeSecret } from '../../../operator/showroom-client/remade.ts'
import { createRevocations } from '../../../operator/showroom-client/revocations.ts'
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
  type Place,
} from './clients-place.ts'

beforeAll(startPlaces)
afterAll(stopPlaces)

/** The operator that published `east`, the clients with `east` suspended since, and what the server then says of it. */
async function suspendedEast(place: Place) {
  const [east] = place.clients as [ShowroomClientObject]
  const { publisher: first } = newOperator({ ...place, clients: [east] })
  await publishClients(first)
  const suspended = { ...east, spec: { ...east.spec, suspended: true } }
  const get = (reference: ObjectReference) =>
    reference.kind === 'ShowroomClient' ? Promise.resolve(suspended) : kube.get(reference)
  return { first, clients: [suspended, ...place.clients.slice(1)], get }
}

test.each(['before the run', 'while caches are listed'])(
  'a suspension that comes %s does not wait for the list',
  async (when) => {
    const place = await newPlace(['east', ...MANY])
    const { first, clients, get } = await suspendedEast(place)
    const revocations = createRevocations()
    const listing = Promise.withResolvers<void>()
    let lists = 0
    const source = cacheOf(place, () => {
      lists += 1
      listing.resolve()
      return new Promise(() => undefined)
    })
    if (when === 'before the run') revocations.add()
    const publisher = beforeSecrets(first, async () => {
      if (when === 'while caches are listed') await listing.promise.then(revocations.add)
    })
    const cluster = { ...publisher.cluster, kube: { ...kube, get } as Kube }
    const freshness = { sources: [source] }
    await publishClients({ ...publisher, cluster, freshness, revocations, objects: () => clients })
    expect(publisher.ledger.records.get('east')?.binding?.suspended).toBe(true)
    expect(lists).toBe(when === 'before the run' ? 0 : 1)
  },
)

test.each(['never tried before', 'refused before'])(
  'a suspension does not wait for the creation of a Secret %s, and the next run reads the Secret',
  async (when) => {
    const place = await newPlace(['east', 'west'])
    const { first, clients, get } = await suspendedEast(place)
    const revocations = createRevocations()
    const answer = Promise.withResolvers<void>()
    let creations = 0
    let isRefused = when === 'refused before'
    const create: Kube['create'] = async (object, options) => {
      if (object.metadata?.name !== 'west') return kube.create(object, options)
      if (isRefused) throw new KubeApiError('POST secrets', { code: 403, message: 'exceeded quota' })
      revocations.add()
      creations += 1
      await answer.promise
      return kube.create(object, options)
    }
    const slow = { ...kube, create, get } as Kube
    const cluster = { ...first.cluster, kube: slow }
    const delivered = await kube.get<V1Secret>({ ...configMap('east', place.namespace), kind: 'Secret' })
    const inCache = (name: string) => (name === 'east' ? delivered : undefined)
    const secrets = clientSecrets({ kube: slow, namespace: place.namespace }, inCache)
    const remade: string[] = []
    const onRemade = ({ secret }: RemadeSecret) => Promise.resolve(void remade.push(secret))
    const publisher = { ...first, cluster, secrets, revocations, onRemade, objects: () => clients }
    if (isRefused) await publishClients({ ...publisher, objects: () => clients.slice(1) })
    isRefused = false
    await systemClock.sleep(secrets.retryAfterMs() ?? 0)
    const run = await publishClients(publisher)
    const { records } = publisher.ledger
    expect([records.get('east')?.binding?.suspended, records.has('west'), run.afterMs]).toEqual([true, false, 1])
    const next = publishClients(publisher)
    await systemClock.sleep(300)
    answer.resolve()
    await next
    expect(creations).toBe(1)
    expect(publisher.ledger.records.get('west')?.binding?.secrets).toHaveLength(1)
    expect(remade).toEqual(['west'])
  },
)

test('Secrets of new clients are made also while each run is overtaken by a suspension', async () => {
  const place = await newPlace(['east', ...MANY])
  const { publisher } = newOperator(place)
  const revocations = createRevocations()
  for (let run = 0; run < 50 && publisher.ledger.records.size <= MANY.length; run++) {
    revocations.add()
    await publishClients({ ...publisher, revocations })
    await systemClock.sleep(100)
  }
  expect(publisher.ledger.records.size).toBe(MANY.length + 1)
})

test('where everything must be listed, a suspension waits for the list in progress and begins no other', async () => {
  const place = await newPlace(MANY)
  const revocations = createRevocations()
  let lists = 0
  const source = cacheOf(place, async () => {
    lists += 1
    revocations.add()
    await systemClock.sleep(300)
  })
  const { publisher } = newOperator(place, [source])
  expect((await publishClients({ ...publisher, revocations })).isNew).toBe(true)
  expect(lists).toBe(1)
})

test('a suspension does not wait until thousands of Secrets that were made again are told of', async () => {
  const place = await newPlace(['east', 'west'])
  const { publisher } = newOperator(place)
  const revocations = createRevocations()
  const remade: string[] = []
  const onRemade = ({ secret }: RemadeSecret) => {
    remade.push(secret)
    revocations.add()
    return Promise.resolve()
  }
  await publishClients({ ...publisher, revocations, onRemade })
  expect(remade).toEqual(['east'])
  await publishClients({ ...publisher, revocations, onRemade })
  expect(remade).toEqual(['east', 'west'])
})

test('a suspension does not wait until a Secret is verified that the watch has not delivered', async () => {
  const place = await newPlace(['east'])
  const { first, clients, get } = await suspendedEast(place)
  const answer = Promise.withResolvers<void>()
  const verifying = Promise.withResolvers<void>()
  let isSlow = false
  const page: Kube['page'] = async (options) => {
    if (isSlow) {
      verifying.resolve()
      await answer.promise
    }
    return kube.page(options)
  }
  let laterMs = 0
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + laterMs }
  const secrets = clientSecrets({ kube: { ...kube, page }, namespace: place.namespace }, () => undefined, clock)
  const revocations = createRevocations()
  const cluster = { ...first.cluster, kube: { ...kube, get } as Kube }
  const publisher = { ...first, cluster, secrets, revocations, objects: () => clients }
  await secrets.ensure(['east'])
  const text = secrets.text('east')
  laterMs = 2000
  isSlow = true
  const run = publishClients(publisher)
  await verifying.promise
  revocations.add()
  await run
  expect(publisher.ledger.records.get('east')?.binding?.suspended).toBe(true)
  expect(secrets.text('east')).toBe(text)
  // The verification is still under way.
  revocations.add()
  await publishClients(publisher)
  answer.resolve()
})
