import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
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
