import { afterAll, beforeEach, expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { PublishedPlace, startPublishedPlace } from './published-place.ts'

const place = await startPublishedPlace()
afterAll(() => place.stop())

const au = inventedSet('AU')
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
const faulty = inventedSet('AU_VIC', { fee: '9.00', example: '1.00' })

beforeEach(async () => {
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'fy27')
  place.around = {}
  place.restart()
})

test('with index, history and all shards gone, the next index has a higher sequence than any before', async () => {
  await place.publish(au)
  await place.publish(au, vic('1.00'))
  const { index } = await place.publish(au, vic('2.00'))
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'fy27')
  // A clock or a memory that could tell is gone too.
  place.restart()
  expect((await place.publish(au)).index.sequence).toBeGreaterThan(index.sequence)
})

test('with index, history and shards gone, the operator goes on from what it published itself', async () => {
  await place.publish(au, vic('1.00'))
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'fy27')
  await place.publish(au, faulty)
  const { sets } = await place.read()
  expect([...sets.keys()]).toEqual(['au-fy27', 'au-vic-fy27'])
  expect(sets.get('au-vic-fy27')).toEqual(vic('1.00'))
})

test('content that was published a moment ago is put back although its object says something else by now', async () => {
  await place.publish(au, vic('1.00'))
  await place.remove('vic')
  await place.publish(au, faulty)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(vic('1.00'))
})

/** A cache of objects that is as new as its last list, and what happens while it is listed. */
function cacheThat(whileListed: () => Promise<void>) {
  const collection = { path: '/api/v1/namespaces/driveaway/configmaps' }
  const now = async () => (await place.kube.page({ ...collection, limit: 1 })).metadata?.resourceVersion ?? ''
  let version = '1'
  const relist = async () => {
    version = await now()
    await whileListed()
  }
  return {
    now,
    source: { name: 'ratesets', collection, resourceVersion: () => version, setBack: () => undefined, relist },
  }
}

/** Overwrites index and history with something else. */
async function garble(): Promise<void> {
  const overwriting = { fieldManager: 'somebody', force: true }
  for (const [name, key] of [
    ['driveaway-rates', 'index.json'],
    ['driveaway-rates-history', 'history.json'],
  ] as const) {
    const metadata = { name, namespace: 'driveaway' }
    await place.kube.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: 'x' } }, overwriting)
  }
}

test.each([
  ['is not published again from less', () => Promise.resolve()],
  ['after an earlier loss is not published again from less', garble],
])('what is published and lost while an operator catches up %s', async (_, loseBefore) => {
  await place.publish(au, vic('1.00'))
  await loseBefore()
  const successor = new PublishedPlace(place.kube, () => Promise.resolve())
  let published: string | undefined
  const cache = cacheThat(async () => {
    if (published !== undefined) return
    published = await cache.now()
    const own = cacheThat(() => Promise.resolve())
    await own.source.relist()
    successor.around = { freshness: { sources: [own.source] } }
    successor.restart()
    published = (await successor.publish(au, vic('2.00'))).index.sources?.['ratesets']
    await garble()
  })
  place.around = { freshness: { sources: [cache.source] } }
  place.restart()
  const { index } = await place.publish(au, vic('3.00'))
  expect(Number(index.sources?.['ratesets'])).toBeGreaterThan(Number(published))
})

test('a set that is deleted, as a new list shows, leaves no empty index behind', async () => {
  const cache = cacheThat(() => Promise.resolve(void (place.objects = [])))
  place.around = { freshness: { sources: [cache.source] } }
  place.restart()
  await place.publish(au)
  const metadata = { name: 'driveaway-rates', namespace: 'driveaway' }
  expect(await place.kube.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata })).toBeUndefined()
})

test('a shard that a publication renewed which never came into the index is not taken for the newest', async () => {
  const { index } = await place.publish(au, vic('1.00'))
  const name = index.sets.find((set) => set.name === 'au-vic-fy27')!.shards[0]!.name
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'driveaway' } }
  const labels = { 'rates.driveaway.dev/sequence': String(index.sequence + 100) }
  await place.kube.patchMetadata(reference, { labels }, { fieldManager: 'somebody' })
  place.restart()
  await place.publish(au, vic('2.00'))
  await place.publish(au, vic('3.00'))
  await place.remove('driveaway-rates', 'driveaway-rates-history')
  place.restart()
  await place.publish(au, faulty)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(vic('3.00'))
})

test('a set that was withdrawn stays so when its object, the index and the history are deleted, until it is applied again', async () => {
  await place.publish(au, vic('1.00'))
  await place.publish(au, { ...vic('1.00'), withdrawn: true })
  await place.remove('driveaway-rates', 'driveaway-rates-history')
  place.restart()
  await place.publish(au)
  expect([...(await place.read()).sets.keys()]).toEqual(['au-fy27'])
  await place.publish(au, vic('1.00'))
  await place.remove('driveaway-rates', 'driveaway-rates-history')
  place.restart()
  await place.publish(au)
  expect([...(await place.read()).sets.keys()]).toEqual(['au-fy27', 'au-vic-fy27'])
})

test('a number that somebody wrote on a shard does not become the last that there can be', async () => {
  await place.publish(au)
  const [shard] = await place.maps('rates')
  const reference = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: shard!.metadata!.name!, namespace: 'driveaway' },
  }
  const labels = { 'rates.driveaway.dev/sequence': String(Number.MAX_SAFE_INTEGER) }
  await place.kube.patchMetadata(reference, { labels }, { fieldManager: 'somebody' })
  await place.remove('driveaway-rates', 'driveaway-rates-history')
  place.restart()
  const { index } = await place.publish(au)
  expect(index.sequence).toBeLessThan(2 ** 40)
  expect((await place.publish(au, vic('1.00'))).index.sequence).toBe(index.sequence + 1)
})
