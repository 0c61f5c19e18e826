import { expect, test } from 'vitest'
import { mayTake, type Lease } from '#runtime/kube/lease-record.ts'

/** Whether a process may take the lease of another so many seconds after that lease changed. */
function isTakenAfter(seconds: number, leaseDurationSeconds: number): boolean {
  const lease: Lease = { spec: { holderIdentity: 'somebody', leaseDurationSeconds } }
  return mayTake({ lease, changedAt: 5_000 }, 'this', 5_000 + seconds * 1000)
}

test.each([
  ['the shortest', 1],
  ['the default', 15],
  ['the longest that can be configured', 300],
])('a lease of a duration that can be configured is taken after that, and not before: %s', (_, duration) => {
  expect([isTakenAfter(duration - 0.001, duration), isTakenAfter(duration, duration)]).toEqual([false, true])
})

test('of a longer duration, which somebody wrote by hand, no more is believed than can be configured', () => {
  const written = 2_147_483_647
  expect([isTakenAfter(299.999, written), isTakenAfter(300, written)]).toEqual([false, true])
})
