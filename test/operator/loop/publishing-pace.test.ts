import { expect, test } from 'vitest'
import type { PublishedKind } from '#rates/published/format.ts'
import { publishingPace } from '../../../operator/loop/publishing-pace.ts'

function started() {
  const clock = { now: 1_000 }
  const pace = publishingPace({ elapsed: () => clock.now })
  const run = (kind: PublishedKind, ms: number) => {
    pace.began(kind)
    clock.now += ms
    pace.ended(kind)
  }
  return { clock, pace, run }
}

test('after a run, changes are gathered for as long as it took, for at least 50 ms and at most two seconds', () => {
  const { pace, run } = started()
  expect(pace.debounceMs('clients')).toBe(50)
  run('clients', 800)
  expect([pace.debounceMs('clients'), pace.debounceMs('rates')]).toEqual([800, 50])
  run('clients', 70_000)
  expect(pace.debounceMs('clients')).toBe(2000)
})

test('a change after a quiet time does not wait for the length of a run of long ago', () => {
  const { clock, pace, run } = started()
  run('rates', 70_000)
  clock.now += 1_500
  expect(pace.debounceMs('rates')).toBe(500)
  clock.now += 60_000
  expect(pace.debounceMs('rates')).toBe(50)
})

test('a change during a run is gathered for as long as the run before took, however long ago that was', () => {
  const { clock, pace, run } = started()
  run('clients', 800)
  clock.now += 60_000
  pace.began('clients')
  clock.now += 300
  expect(pace.debounceMs('clients')).toBe(800)
})
