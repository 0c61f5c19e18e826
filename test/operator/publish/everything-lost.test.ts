import { afterAll, beforeEach, expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { startPublishedPlace } from './published-place.ts'

const place = await startPublishedPlace()
afterAll(() => place.stop())

const au = inventedSet('AU')
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
const faulty = inventedSet('AU_VIC', { fee: '9.00', example: '1.00' })

beforeEach(async () => {
  await place.remove('driveaway-rates', 'driveaway-rates-history', 'fy27')
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
