import { afterAll, expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { startPublishedPlace } from './published-place.ts'

const place = await startPublishedPlace()
afterAll(() => place.stop())

test('while the only set is refused there is no release, however often the set is looked at', async () => {
  const faulty = inventedSet('AU', { fee: '9.00', example: '1.00' })
  await place.publish(faulty)
  await place.publish(faulty)
  await expect(place.index()).rejects.toThrow()
})
