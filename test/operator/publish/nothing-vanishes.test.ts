import { createHash } from 'node:crypto'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readStamps } from '../../../operator/publish/stamps.ts'
import { FEDERAL_FEE, inventedSet } from '../invented-set.ts'
import { startPublishedPlace, type PublishedPlace } from './published-place.ts'

let place: PublishedPlace

beforeAll(async () => {
  place = await startPublishedPlace()
}, 60_000)
afterAll(() => place.stop())

const federal = inventedSet('AU', { fee: '1.00' })
const brokenFederal = inventedSet('AU', { fee: '11.00', example: '12.00' })
const nsw = inventedSet('AU_NSW', { fee: '10.00' })
const vic = inventedSet('AU_VIC', { fee: FEDERAL_FEE, example: '1.00' })
const brokenVic = inventedSet('AU_VIC', { fee: '13.00', example: '14.00' })
const withdrawn = (spec: RateSetSpec): RateSetSpec => ({ ...spec, withdrawn: true })

beforeEach(async () => {
  place.statuses.clear()
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'fy27')
  place.restart()
  await place.publish(federal, nsw, vic)
})

const names = ({ sets }: { sets: readonly { name: string }[] }) => sets.map(({ name }) => name)
const ALL = ['au-fy27', 'au-nsw-fy27', 'au-vic-fy27']

test('the content that an object still has is encoded again, and what no object has stays named', async () => {
  const before = await place.index()
  await place.remove('au-fy27', 'au-nsw-fy27', 'au-vic-fy27')
  place.restart()
  const { index } = await place.publish(federal, nsw, brokenVic)
  expect(names(index)).toEqual(ALL)
  expect(index.release).toBe(before.release)
})

test('what the operator has read before is encoded again', async () => {
  await place.publish(brokenFederal, nsw, vic)
  await place.remove('fy27')
  await place.publish(brokenFederal, nsw, brokenVic)
  const { sets, index } = await place.read()
  expect(names(index)).toEqual(ALL)
  expect(sets.get('au-fy27')).toEqual(federal)
})

test('a lost federal set with a fault in its object empties no index, and says how it is restored', async () => {
  const before = await place.index()
  await place.remove('fy27')
  place.restart()
  const { index } = await place.publish(brokenFederal, nsw, vic)
  expect(index.sets).toEqual(before.sets)
  expect([...place.ledger.lost.keys()]).toEqual(['au-fy27'])
})

test('a lost set without an object stays in the index, and the others are published', async () => {
  await place.remove('au-vic-fy27')
  place.restart()
  const tas = inventedSet('AU_TAS', { fee: '5.00' })
  const changed = inventedSet('AU_NSW', { fee: '20.00' })
  const { index } = await place.publish(federal, changed, tas)
  expect(names(index)).toEqual(['au-fy27', 'au-nsw-fy27', 'au-tas-fy27', 'au-vic-fy27'])
  expect((await place.publish(federal, changed, tas)).isNew).toBe(false)
})

test('what a lost set was published with is held till the lost set is restored', async () => {
  const before = await place.index()
  await place.remove('au-vic-fy27')
  place.restart()
  const other = inventedSet('AU', { fee: '2.00' })
  const held = await place.publish(other, nsw)
  expect(held.index.sets).toEqual(before.sets)
  expect(place.ledger.records.get('au-fy27')?.verdict).toMatchObject({ reason: 'BreaksImporter', other: 'au-vic-fy27' })
  const restored = inventedSet('AU_VIC', { fee: FEDERAL_FEE, example: '2.00' })
  await place.publish(other, nsw, restored)
  expect((await place.read()).sets.get('au-fy27')).toEqual(other)
  expect(place.ledger.lost.size).toBe(0)
})

test('withdrawal is the way out, also of what is lost', async () => {
  await place.remove('au-vic-fy27')
  place.restart()
  expect(names((await place.publish(federal, nsw, withdrawn(vic))).index)).toEqual(['au-fy27', 'au-nsw-fy27'])
})

test('with index and history lost, one after the other, the last good contents are still there', async () => {
  const { sequence } = (await place.publish(federal, nsw, brokenVic)).index
  await place.remove('driveaway-rates')
  place.restart()
  const rebuilt = await place.publish(federal, nsw, brokenVic)
  expect([names(rebuilt.index), rebuilt.index.sequence]).toEqual([ALL, sequence + 1])
  await place.remove('driveaway-rates-history')
  expect((await place.publish(federal, nsw)).isNew).toBe(false)
  await place.remove('driveaway-rates')
  place.restart()
  expect(names((await place.publish(federal, nsw)).index)).toEqual(ALL)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(vic)
})

test('with index and history lost at once, the shards tell what was published last, and no sequence comes twice', async () => {
  await place.publish(federal, nsw, brokenVic)
  const changed = inventedSet('AU_NSW', { fee: '20.00' })
  const { sequence, release } = (await place.publish(federal, changed, brokenVic)).index
  await place.remove('driveaway-rates', 'driveaway-rates-history')
  place.restart()
  const { index } = await place.publish(federal, brokenVic)
  expect(index.release).toBe(release)
  expect(index.sequence).toBeGreaterThan(sequence)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(vic)
  expect((await place.read()).sets.get('au-nsw-fy27')).toEqual(changed)
})

/** What the operator wrote to the objects before everything else was lost. */
async function sayPublished(): Promise<void> {
  for (const { name, digest } of (await place.index()).sets) {
    const published = { type: 'Published', status: 'True' as const, reason: 'Published', message: '' }
    const conditions = [{ ...published, lastTransitionTime: '2026-07-01T00:00:00Z', observedGeneration: 1 }]
    const examples = { passed: 1, total: 1, summary: '1/1' }
    place.statuses.set(name, { observedGeneration: 1, conditions, examples, digest })
  }
}

test('with index, history and the shards of a faulty set lost at once, nothing is published without that set', async () => {
  await sayPublished()
  const digest = place.statuses.get('au-vic-fy27')?.digest
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'au-vic-fy27')
  place.restart()
  await expect(place.publish(federal, nsw, brokenVic)).rejects.toThrow(
    `no rates are published: the content of au-vic-fy27 at ${digest} is lost: apply the RateSet`,
  )
  await expect(place.index()).rejects.toThrow()
  expect([...place.ledger.lost.keys()]).toEqual(['au-vic-fy27'])
  expect(place.ledger.records.get('au-vic-fy27')).toMatchObject({ isLost: true, entry: { digest } })
  // Its content brings it back, and a withdrawal lets it go.
  expect(names((await place.publish(federal, nsw, vic)).index)).toEqual(ALL)
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'au-vic-fy27')
  place.restart()
  expect(names((await place.publish(federal, nsw, withdrawn(brokenVic))).index)).toEqual(['au-fy27', 'au-nsw-fy27'])
})

const INDEX = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'driveaway-rates', namespace: 'driveaway' } }

/** Puts an index in the place of the one that is published, as `kubectl replace` would. */
async function replaceIndex(data: Record<string, string>): Promise<void> {
  const { metadata } = (await place.kube.get<V1ConfigMap>(INDEX))!
  const { labels = {}, uid, resourceVersion } = metadata ?? {}
  await place.kube.apply({ ...INDEX, data, metadata: { ...INDEX.metadata, labels, uid, resourceVersion } } as never, {
    ...{ fieldManager: 'somebody', force: true },
  })
}

test('an older index that somebody puts back does not bring an older content back', async () => {
  const older = (await place.kube.get<V1ConfigMap>(INDEX))!.data!
  const newer = inventedSet('AU_VIC', { fee: '17.00' })
  await place.publish(federal, nsw, newer)
  await replaceIndex(older)
  place.restart()
  const { index, isNew } = await place.publish(federal, nsw, brokenVic)
  expect(isNew).toBe(true)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(newer)
  expect(index.sequence).toBeGreaterThan((JSON.parse(older['index.json']!) as { sequence: number }).sequence)
})

test('a restore of etcd, which takes index, history and shards back, takes no content from who published it', async () => {
  const objects = ['driveaway-rates', 'driveaway-rates-history']
  const referenceOf = (name: string) => ({ ...INDEX, metadata: { ...INDEX.metadata, name } })
  const backup = await Promise.all(objects.map((name) => place.kube.get<V1ConfigMap>(referenceOf(name))))
  const [changed, tas] = [inventedSet('AU', { fee: '2.00' }), inventedSet('AU_TAS', { fee: '5.00' })]
  const changedVic = inventedSet('AU_VIC', { fee: FEDERAL_FEE, example: '2.00' })
  await place.publish(changed, nsw, changedVic, tas)
  const newer = (await place.index()).sets.filter(({ name }) => name !== 'au-nsw-fy27')
  const shards = newer.flatMap((set) => set.shards.map(({ name }) => name))
  for (const name of [...objects, ...shards]) await place.kube.delete(referenceOf(name))
  for (const object of backup) {
    const { name = '', labels = {} } = object!.metadata!
    const restored = { ...referenceOf(name), data: object!.data, metadata: { ...INDEX.metadata, name, labels } }
    await place.kube.create(restored, { fieldManager: 'somebody' })
  }
  place.leadAgain()
  await place.publish(federal, nsw, vic)
  const { sets } = await place.read()
  expect([sets.get('au-fy27'), sets.get('au-vic-fy27'), sets.get('au-tas-fy27')]).toEqual([federal, vic, tas])
  expect(place.ledger.lost.size).toBe(0)
})

test('an index that somebody empties is put right from the history', async () => {
  const { release } = await place.index()
  const empty = `sha256:${createHash('sha256').update('[]').digest('hex')}`
  const { sequence, formatVersion } = await place.index()
  const index = { formatVersion, kind: 'rates', sequence, release: empty, sets: [] }
  await replaceIndex({ 'index.json': JSON.stringify(index) })
  place.restart()
  expect((await place.publish(federal, nsw, brokenVic)).index.release).toBe(release)
  expect((await place.read()).sets.get('au-vic-fy27')).toEqual(vic)
})

test('a history that is JSON and no history, and stamps that are none, are as good as none', async () => {
  const reference = { ...INDEX, metadata: { ...INDEX.metadata, name: 'driveaway-rates-history' } }
  const { metadata } = (await place.kube.get<V1ConfigMap>(reference))!
  const { labels = {}, uid, resourceVersion } = metadata ?? {}
  const text = JSON.stringify({ formatVersion: 1, records: [null], chunks: [null], index: null })
  const map = {
    ...reference,
    data: { 'history.json': text },
    metadata: { ...reference.metadata, labels, uid, resourceVersion },
  }
  await place.kube.apply(map as never, { fieldManager: 'somebody', force: true })
  place.restart()
  expect((await place.publish(federal, nsw, vic)).isNew).toBe(false)
  expect(readStamps({ metadata: { annotations: { 'rates.driveaway.dev/stamps': '[null]' } } })).toEqual([])
})
