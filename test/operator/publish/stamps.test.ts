import type { V1ConfigMap } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { encodeRateSet, encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { outdated } from '../../../operator/publish/prune.ts'
import { rebuildRatesIndex } from '../../../operator/publish/rebuild.ts'
import { addStamp, keptFrom, readStamps, STAMPS_ANNOTATION, type Stamp } from '../../../operator/publish/stamps.ts'
import { inventedSet } from '../invented-set.ts'

const now = new Date('2026-11-21T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const { entry } = encodeRateSet('au-fy27', inventedSet('AU'))
const stamp = (sequence: number, minutes: number, release = `r${sequence}`): Stamp => ({
  ...{ sequence, release, entry },
  at: minutesAgo(minutes),
})
const daily = (count: number) => Array.from({ length: count }, (_, n) => stamp(n + 1, (count - n) * 1440))

test('the last ten releases are kept, however old', () => {
  expect(keptFrom(daily(30), 30, now)).toBe(21)
})

test('a release that was in force within the last 15 minutes is kept, however many came after it', () => {
  // Release 5 gave way to 6 fourteen minutes ago; 4 gave way to 5 an hour ago.
  const early = [stamp(1, 300), stamp(2, 240), stamp(3, 180), stamp(4, 120), stamp(5, 60)]
  const hectic = Array.from({ length: 20 }, (_, n) => stamp(6 + n, 14 - n * 0.5))
  expect(keptFrom([...early, ...hectic], 25, now)).toBe(5)
})

test('there is nothing to drop before the eleventh release', () => {
  expect(keptFrom(daily(3), 3, now)).toBe(1)
})

test('a second attempt at a release takes the place of the first, and old stamps go', () => {
  const stamps = addStamp([stamp(1, 50), stamp(4, 40), stamp(5, 30)], stamp(5, 0), 4)
  expect(stamps.map(({ sequence, at }) => [sequence, at])).toEqual([
    [4, minutesAgo(40)],
    [5, minutesAgo(0)],
  ])
})

const shard = (name: string, stamps: Stamp[]): V1ConfigMap => ({
  metadata: { name, annotations: { [STAMPS_ANNOTATION]: JSON.stringify(stamps) } },
})

test('a shard is outdated when no kept release and no index needs it', () => {
  const shards = [shard('old', [stamp(3, 900)]), shard('kept', [stamp(3, 900), stamp(7, 30)]), shard('used', [])]
  expect(outdated(shards, new Set(['used']), 7).map(({ metadata }) => metadata?.name)).toEqual(['old'])
})

test('stamps that cannot be read are none', () => {
  expect(readStamps({ metadata: { annotations: { [STAMPS_ANNOTATION]: '{' } } })).toEqual([])
})

const federal = encodeRateSet('au-fy27', inventedSet('AU')).entry
const state = encodeRateSet('au-vic-fy27', inventedSet('AU_VIC'), [
  { name: 'au-fy27', pricingCode: 'AU', digest: federal.digest },
]).entry
const index = encodeRatesIndex([federal, state], 4)
const stamped = (sequence: number, release: string, entries: (typeof federal)[]): Stamp[] =>
  entries.map((entry) => ({ sequence, release, at: minutesAgo(100 - sequence), entry }))

test('an index is rebuilt from the newest release that is stamped whole', () => {
  const later = encodeRateSet('au-fy27', inventedSet('AU', { fee: '99.00' })).entry
  const halfway = encodeRatesIndex([later, state], 5)
  const stamps = [...stamped(4, index.release, [state, federal]), ...stamped(5, halfway.release, [later])]
  expect(rebuildRatesIndex(stamps, () => true)).toEqual(index)
})

test('a release of which a shard is gone is not rebuilt', () => {
  const gone = federal.shards[0]?.name
  expect(rebuildRatesIndex(stamped(4, index.release, [state, federal]), (name) => name !== gone)).toBeUndefined()
})
