import { expect, test } from 'vitest'
import { publishingPace } from '../../../operator/loop/publishing-pace.ts'

test('changes are gathered for as long as a run of that kind takes, at least 50 ms and at most two seconds', () => {
  const pace = publishingPace()
  expect(pace.debounceMs('clients')).toBe(50)
  pace.took('clients', 0.8)
  expect([pace.debounceMs('clients'), pace.debounceMs('rates')]).toEqual([800, 50])
  pace.took('clients', 70)
  expect(pace.debounceMs('clients')).toBe(2000)
})
