import { expect, test } from 'vitest'
import { createEntrySizes } from '../../inventory/entry-sizes.ts'

const average = 1_000
const stored = (entries: number) => ({ entries, average })

test('entries that this process did not admit count as average ones', () => {
  const sizes = createEntrySizes()
  expect(sizes.bytesOf('east', 'vehicles', stored(3))).toBe(3_000)
  sizes.add('east', 'vehicles', { entries: 2, bytes: 20 })
  expect(sizes.bytesOf('east', 'vehicles', stored(3))).toBe(1_020)
  expect(sizes.bytesOf('east', 'jobs', stored(3))).toBe(3_000)
  expect(sizes.bytesOf('west', 'vehicles', stored(3))).toBe(3_000)
})

test('where uploads replaced entries, those that are left are as large as the admitted ones, the last ones more than the first', () => {
  const sizes = createEntrySizes()
  for (let upload = 0; upload < 4; upload += 1) sizes.add('east', 'vehicles', { entries: 10, bytes: 100 })
  expect(sizes.bytesOf('east', 'vehicles', stored(10))).toBe(100)
  sizes.add('east', 'vehicles', { entries: 10, bytes: 900 })
  expect(sizes.bytesOf('east', 'vehicles', stored(10))).toBe(500)
  sizes.add('east', 'vehicles', { entries: 10, bytes: 900 })
  expect(sizes.bytesOf('east', 'vehicles', stored(10))).toBe(700)
  // Nothing is stored any more.
  expect(sizes.bytesOf('east', 'vehicles', stored(0))).toBe(0)
})

test('of thirty thousand, whoever uploaded longest ago counts with average entries', () => {
  const sizes = createEntrySizes()
  for (let client = 0; client < 30_001; client += 1) sizes.add(`client-${client}`, 'jobs', { entries: 1, bytes: 10 })
  expect(sizes.bytesOf('client-0', 'jobs', stored(1))).toBe(average)
  expect(sizes.bytesOf('client-1', 'jobs', stored(1))).toBe(10)
})
