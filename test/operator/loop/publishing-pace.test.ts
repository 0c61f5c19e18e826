import { expect, test } from 'vitest'
import { publishingPace } from '../../../operator/loop/publishing-pace.ts'

test('after a run, changes are gathered for as long as it took, for at least 50 ms and at most two seconds', () => {
  const clock = { now: 1_000 }
  const pace = publishingPace({ elapsed: () => clock.now })
  expect(pace.debounceMs('clients')).toBe(50)
  pace.took('clients', 0.8)
  expect([pace.debounceMs('clients'), pace.debounceMs('rates')]).toEqual([800, 50])
  pace.took('clients', 70)
  expect(pace.debounceMs('clients')).toBe(2000)
})

test('a change after a quiet time does not wait for the length of a run of long ago', () => {
  const clock = { now: 1_000 }
  const pace = publishingPace({ elapsed: () => clock.now })
  pace.took('rates', 70)
  clock.now += 1_500
  expect(pace.debounceMs('rates')).toBe(500)
  clock.now += 60_000
  expect(pace.debounceMs('rates')).toBe(50)
})
