import type { V1ConfigMap } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { shardJson } from '#rates/published/config-map.ts'
import { encodeRateSet, encodeRatesIndex } from '#rates/published/encode-rates.ts'
import type { RatesIndex } from '#rates/published/format.ts'
import { keptPosition, type HistoryRecord } from '#rates/published/history.ts'
import { advance, keptBy, openHistory, type Advanced, type History } from '../../../operator/publish/history.ts'
import { outdated } from '../../../operator/publish/prune.ts'
import { rebuildRatesIndex } from '../../../operator/publish/rebuild.ts'
import { readStamps, SEQUENCE_LABEL, STAMPS_ANNOTATION, type Stamp } from '../../../operator/publish/stamps.ts'
import { inventedSet } from '../invented-set.ts'

const now = new Date('2026-11-21T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const federal = (fee: string) => encodeRateSet('au-fy27', inventedSet('AU', { fee })).entry
const other = encodeRateSet('au-vic-fy27', inventedSet('AU_VIC')).entry
const indexAt = (sequence: number, fee = `${sequence}.00`) => encodeRatesIndex([federal(fee), other], sequence)
const shardAt = (fee: string) => federal(fee).shards[0]?.name ?? ''

/** A history of one publication after another, each so many minutes ago. */
function published(minutes: readonly number[]): History<RatesIndex> {
  let history: History<RatesIndex> | undefined
  for (const [at, ago] of minutes.entries())
    history = advance(history, history?.index, indexAt(at + 1), minutesAgo(ago))?.history
  return history as History<RatesIndex>
}

const times = (minutes: number[]): Pick<HistoryRecord, 'at'>[] =>
  minutes.map((ago) => ({ at: minutesAgo(ago).toISOString() }))

test('the last ten publications are kept, however old', () => {
  expect(keptPosition(times(Array.from({ length: 30 }, (_, n) => (30 - n) * 1440)), now)).toBe(20)
})

test('a publication that was in force within the last 15 minutes is kept, however many came after it', () => {
  // The fifth gave way to the sixth fourteen minutes ago; the fourth gave way to the fifth an hour ago.
  const hectic = Array.from({ length: 20 }, (_, n) => 14 - n * 0.5)
  expect(keptPosition(times([300, 240, 180, 120, 60, ...hectic]), now)).toBe(4)
})

test('the shards of each kept publication are kept, those of an earlier one are not', () => {
  const history = published(Array.from({ length: 12 }, (_, n) => 1200 - n))
  const { names, from } = keptBy(history, now)
  expect(from).toBe(3)
  expect([names.has(shardAt('2.00')), names.has(shardAt('3.00')), names.has(shardAt('12.00'))]).toEqual([
    false,
    true,
    true,
  ])
  expect(names.has(other.shards[0]?.name ?? '')).toBe(true)
})

const shard = (name: string, sequence: number): V1ConfigMap => ({
  metadata: { name, labels: { [SEQUENCE_LABEL]: String(sequence) } },
})

test('a shard goes when no kept publication needs it and none that may be under way has brought it in', () => {
  const shards = [shard('old', 3), shard('under-way', 9), shard('used', 1)]
  const gone = outdated(shards, { names: new Set(['used']), from: 7 })
  expect(gone.map(({ metadata }) => metadata?.name)).toEqual(['old'])
})

test('a record says what stood there before, and nothing of what stayed', () => {
  const { records } = published([20, 10])
  expect(records[1]?.before).toEqual({ 'au-fy27': federal('1.00') })
  expect(Object.keys(records[0]?.before ?? {})).toEqual([])
})

test('an index in force that the history does not know is recorded before the next, so that its shards are kept', () => {
  const history = published([20, 10])
  const next = advance(history, indexAt(40), indexAt(41), now)?.history as History<RatesIndex>
  expect(next.records.map(({ sequence }) => sequence)).toEqual([1, 2, 40, 41])
  expect(keptBy(next, now).names.has(shardAt('40.00'))).toBe(true)
})

/** Publishes over and over at one moment, and reads each history back as it was stored. */
function hectic(count: number) {
  const shards = new Map<string, string>()
  let history: History<RatesIndex> | undefined
  let last: Advanced<RatesIndex> | undefined
  for (let sequence = 1; sequence <= count; sequence++) {
    last = advance(history, history?.index, indexAt(sequence), now) as Advanced<RatesIndex>
    for (const { name, shard } of last.shards) shards.set(name, shardJson(shard))
    history = openHistory(last.stored, last.history.index, (name) => shards.get(name))
  }
  return { shards, last: last as Advanced<RatesIndex>, history: history as History<RatesIndex> }
}

test('1,000 publications within a moment are all kept, and no object of the history nears 512 KiB', () => {
  const { shards, last, history } = hectic(1000)
  expect(history.records.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1))
  expect(shards.size).toBeGreaterThan(1)
  const largest = Math.max(JSON.stringify(last.stored).length, ...[...shards.values()].map((text) => text.length))
  expect(largest).toBeLessThan(400 * 1024)
})

test('where a chunk of the history is lost nothing is removed until it has aged out', () => {
  let last: Advanced<RatesIndex> | undefined
  for (let sequence = 1; sequence <= 600; sequence++)
    last = advance(last?.history, last?.history.index, indexAt(sequence), minutesAgo(30)) as Advanced<RatesIndex>
  const { stored, history } = last as Advanced<RatesIndex>
  const torn = openHistory(stored, history.index, () => undefined)
  expect([stored.chunks.length, keptBy(torn, now).from]).toEqual([1, 0])
  const afterwards = openHistory({ ...stored, chunks: [] }, history.index, () => undefined)
  expect(keptBy(afterwards, now).from).toBeGreaterThan(370)
})

test('stamps that cannot be read are none', () => {
  expect(readStamps({ metadata: { annotations: { [STAMPS_ANNOTATION]: '{' } } })).toEqual([])
})

const index = encodeRatesIndex([federal('10.00'), other], 4, 1)
const stamped = (sequence: number, release: string, entries: (typeof other)[]): Stamp[] =>
  entries.map((entry) => ({ sequence, release, at: minutesAgo(100 - sequence).toISOString(), entry }))

test('an index of version 1 is rebuilt from the newest release that is stamped whole', () => {
  const halfway = encodeRatesIndex([federal('99.00'), other], 5, 1)
  const stamps = [
    ...stamped(4, index.release, [other, federal('10.00')]),
    ...stamped(5, halfway.release, [federal('99.00')]),
  ]
  expect(rebuildRatesIndex(stamps, () => true)).toEqual(index)
})

test('a release of which a shard is gone is not rebuilt', () => {
  const gone = shardAt('10.00')
  const stamps = stamped(4, index.release, [other, federal('10.00')])
  expect(rebuildRatesIndex(stamps, (name) => name !== gone)).toBeUndefined()
})
