import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoff } from '#runtime/backoff.ts'

test('the delay doubles with each attempt and stops at the cap', () => {
  const longest = { baseMs: 100, capMs: 1_000, random: () => 1 }
  expect([0, 1, 2, 3, 4, 50].map((attempt) => backoff(attempt, longest))).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('no delay is shorter than half of its ceiling or longer than the cap, whatever is drawn', () => {
  const draw = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  fc.assert(
    fc.property(fc.nat(2_000), draw, (attempt, drawn) => {
      const delay = backoff(attempt, { baseMs: 50, capMs: 5_000, random: () => drawn })
      const ceiling = Math.min(5_000, 50 * 2 ** attempt)
      return delay >= Math.floor(ceiling / 2) && delay <= ceiling
    }),
  )
})
