import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import { decodeRates } from '#rates/published/decode.ts'
import { parseRatesIndex } from '#rates/published/parse-index.ts'
import { PUBLISHED_LABEL, RATES_INDEX } from '#rates/published/format.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { systemClock } from '#runtime/clock.ts'
import { inProcess, rateSetChecks } from '../../../operator/rate-set/checks.ts'
import { evaluator } from '../../../operator/rate-set/evaluate.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import type { RateSetObject } from '../../../operator/rate-set/object.ts'
import { publishRates, type RatesPublisher } from '../../../operator/rate-set/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { inventedSet } from '../invented-set.ts'

let plane: ControlPlane
let namespaces = 0
beforeAll(async () => {
  plane = await startControlPlane()
})
afterAll(() => plane.stop())

/** A namespace of its own, and what is published in it. */
async function newPlace() {
  const kube = kubeOf(plane.kubeConfig)
  const namespace = `place-${(namespaces += 1)}`
  await kube.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as never)
  const configMaps = () => listAll<V1ConfigMap>(kube, { path: `/api/v1/namespaces/${namespace}/configmaps` })
  const published = async () => {
    const byName = new Map((await configMaps()).items.map((each) => [each.metadata?.name ?? '', each.data ?? {}]))
    const index = parseRatesIndex(byName.get(RATES_INDEX)?.['index.json'] ?? '', new Map())
    const texts = new Map([...byName].map(([name, data]) => [name, data['shard.json'] ?? '']))
    const fees = decodeRates(index, texts).map(({ spec }) => spec.parameters?.[0]?.values[0]?.value)
    return { index, fees, shards: [...byName.keys()].filter((name) => name.startsWith('rates-')) }
  }
  return { kube, namespace, configMaps, published }
}

type Place = Awaited<ReturnType<typeof newPlace>>

/** An operator that sees the federal set with this fee, and the shards that are there now. */
async function publisherOf(place: Place, fee: () => string, options: Partial<RatesPublisher> & { kube?: Kube } = {}) {
  const { kube = place.kube, ...others } = options
  const metadata = { name: 'au-fy27', namespace: place.namespace, uid: 'u', generation: 1, resourceVersion: '1' }
  const object = () => ({ apiVersion: '', kind: 'RateSet', metadata, spec: inventedSet('AU', { fee: fee() }) })
  const { items } = await place.configMaps()
  const publisher: RatesPublisher = {
    cluster: { kube, namespace: place.namespace },
    objects: () => [object() as RateSetObject],
    shards: () => items.filter((each) => each.metadata?.labels?.[PUBLISHED_LABEL] === 'rates'),
    evaluate: evaluator(inProcess(rateSetChecks(checkRateSet)), systemClock),
    ...{ ledger: emptyRatesLedger(), now: () => new Date(), ...others },
  }
  return publisher
}

/** A way to the server that waits before one write, until it is opened. */
function gated(kube: Kube, isAwaited: (name: string) => boolean) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const wait = async (name: string | undefined) => {
    if (!isAwaited(name ?? '')) return
    reached.resolve()
    await opened.promise
  }
  const gate: Kube = {
    ...kube,
    create: async (object, options) => {
      await wait(object.metadata.name)
      return kube.create(object, options)
    },
    apply: async (object, options) => {
      await wait(object.metadata?.name)
      return kube.apply(object, options)
    },
  }
  return { kube: gate, reached: reached.promise, open: () => opened.resolve() }
}

test.each([
  ['its first shard', (name: string) => name.startsWith('rates-')],
  ['the history', (name: string) => name === `${RATES_INDEX}-history`],
  ['the index', (name: string) => name === RATES_INDEX],
])('an operator that was deposed before it wrote %s undoes nothing of its successor', async (_, isAwaited) => {
  const place = await newPlace()
  await publishRates(await publisherOf(place, () => '10.00'))
  const gate = gated(place.kube, isAwaited)
  const deposed = publishRates(await publisherOf(place, () => '11.00', { kube: gate.kube })).then(
    () => 'it published',
    (error: unknown) => error,
  )
  await gate.reached
  await publishRates(await publisherOf(place, () => '77.00'))
  const { index } = await place.published()
  gate.open()
  expect(isConflict(await deposed)).toBe(true)
  expect(await place.published()).toMatchObject({ index, fees: ['77.00'] })
})

test.each([`${RATES_INDEX}-history`, RATES_INDEX])(
  'a first %s that comes late, while that of a successor was taken away, brings no old content',
  async (late) => {
    const place = await newPlace()
    const gate = gated(place.kube, (name) => name === late)
    let fee = '11.00'
    const deposed = publishRates(await publisherOf(place, () => fee, { kube: gate.kube }))
    await gate.reached
    const successor = await publisherOf(place, () => '77.00')
    await publishRates(successor)
    for (const name of [RATES_INDEX, `${RATES_INDEX}-history`])
      await place.kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: place.namespace } })
    // By then its watch has the present object.
    fee = '77.00'
    gate.open()
    await deposed
    expect((await place.published()).fees).toEqual(['77.00'])
  },
)

const isIndexOrHistory = (name: string) => name === RATES_INDEX || name === `${RATES_INDEX}-history`

test('an index and a history that are put back together are not believed by whoever published something later', async () => {
  const place = await newPlace()
  const ledger = emptyRatesLedger()
  await publishRates(await publisherOf(place, () => '10.00', { ledger }))
  const { items } = await place.configMaps()
  await publishRates(await publisherOf(place, () => '11.00', { ledger }))
  const { index } = await place.published()
  for (const { metadata, data } of items.filter(({ metadata }) => isIndexOrHistory(metadata?.name ?? ''))) {
    const { name = '', labels } = metadata ?? {}
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: place.namespace, labels }, data }
    await place.kube.apply(object as never, { fieldManager: 'somebody', force: true })
  }
  // The object is gone: the content is known from what was published alone.
  const run = await publishRates(await publisherOf(place, () => '11.00', { ledger, objects: () => [] }))
  expect(run.isRepaired).toBe(true)
  const now = await place.published()
  expect([now.fees, now.index.release, now.index.sequence]).toEqual([['11.00'], index.release, index.sequence + 1])
})

test('what the history says last is gone on from, though its index was never written', async () => {
  const place = await newPlace()
  await publishRates(await publisherOf(place, () => '10.00'))
  const gate = gated(place.kube, (name) => name === RATES_INDEX)
  const ended = publishRates(await publisherOf(place, () => '11.00', { kube: gate.kube })).catch(() => undefined)
  await gate.reached
  await publishRates(await publisherOf(place, () => '11.00', { objects: () => [] }))
  expect((await place.published()).fees).toEqual(['11.00'])
  gate.open()
  await ended
})

test('what no kept publication needs is deleted, and nothing else', async () => {
  const place = await newPlace()
  let now = Date.parse('2026-11-21T00:00:00Z')
  for (let n = 1; n <= 12; n++) {
    const publisher = await publisherOf(place, () => `${n}.00`, { now: () => new Date(now) })
    await publishRates(publisher)
    now += 16 * 60_000
  }
  const { fees, shards } = await place.published()
  expect(fees).toEqual(['12.00'])
  // The last ten publications are kept, and these twelve were 16 minutes apart.
  expect(shards).toHaveLength(10)
})

test('which index is in force is told before anything is deleted, because that may fail', async () => {
  const place = await newPlace()
  const told: number[] = []
  let now = Date.parse('2026-11-21T00:00:00Z')
  const failing: Kube = { ...place.kube, delete: () => Promise.reject(new Error('the server is gone')) }
  const publish = async (fee: string) => {
    const onInForce = ({ sequence }: { sequence: number }) => void told.push(sequence)
    now += 16 * 60_000
    return publishRates(await publisherOf(place, () => fee, { kube: failing, now: () => new Date(now), onInForce }))
  }
  for (let n = 1; n <= 10; n++) await publish(`${n}.00`)
  // The publication is in force all the same: nobody is to be told that it failed.
  expect((await publish('11.00')).untidy).toMatchObject({ message: 'the server is gone' })
  const { index } = await place.published()
  expect(told.at(-1)).toBe(index.sequence)
})
