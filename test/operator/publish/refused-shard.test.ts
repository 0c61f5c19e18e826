import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { startPublishedPlace, type PublishedPlace } from './published-place.ts'

let place: PublishedPlace

beforeAll(async () => {
  place = await startPublishedPlace()
}, 60_000)
afterAll(() => place.stop())

const federal = inventedSet('AU', { fee: '1.00' })
const nsw = (fee: string) => inventedSet('AU_NSW', { fee })
const wa = (fee: string) => inventedSet('AU_WA', { fee })
const mapNamed = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'driveaway' } })

test('a shard that cannot be written is the fault of its set: the others are published', async () => {
  const { index } = await place.publish(federal, nsw('10.00'), wa('5.00'))
  const { name = '' } = index.sets.find((set) => set.name === 'au-nsw-fy27')?.shards[0] ?? {}
  await place.publish(federal, nsw('20.00'), wa('5.00'))
  await place.kube.delete(mapNamed(name))
  const foreign = { ...mapNamed(name), metadata: { ...mapNamed(name).metadata, finalizers: ['example.com/stays'] } }
  await place.kube.create<V1ConfigMap>(foreign)
  const run = await place.publish(federal, nsw('10.00'), wa('6.00'))
  const { sets } = await place.read()
  expect([sets.get('au-nsw-fy27'), sets.get('au-wa-fy27')]).toEqual([nsw('20.00'), wa('6.00')])
  expect(run.afterMs).toBeGreaterThan(0)
  const { verdict } = place.ledger.records.get('au-nsw-fy27') ?? {}
  expect(verdict?.faults).toEqual([
    {
      check: 'shard-refused',
      path: '',
      message: `ConfigMap ${name} cannot be written: another object has this name; delete that object`,
    },
  ])
})

test('an index that somebody made immutable is replaced', async () => {
  await place.publish(federal, nsw('10.50'))
  const stored = await place.kube.get<V1ConfigMap>(mapNamed('driveaway-rates'))
  await place.kube.apply({ ...mapNamed('driveaway-rates'), immutable: true } as never, {
    fieldManager: 'somebody',
    force: true,
  })
  await place.publish(federal, nsw('11.00'))
  expect((await place.read()).sets.get('au-nsw-fy27')).toEqual(nsw('11.00'))
  expect((await place.kube.get<V1ConfigMap>(mapNamed('driveaway-rates')))?.metadata?.uid).not.toBe(
    stored?.metadata?.uid,
  )
})
