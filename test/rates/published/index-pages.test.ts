import { expect, test } from 'vitest'
import { indexConfigMap, shardJson } from '#rates/published/config-map.ts'
import { pageNamesIn, parseClientsIndex, parseRatesIndex } from '#rates/published/parse-index.ts'
import { encodeClientsIndex } from '#rates/published/encode-clients.ts'
import { encodeRateSet, encodeRatesIndex } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { splitIndex } from '#rates/published/index-pages.ts'
import { inventedSet } from '../../operator/invented-set.ts'

const KIB = 1024
const federal = { name: 'au-fy27', pricingCode: 'AU', digest: encodeRateSet('au-fy27', inventedSet('AU')).entry.digest }
const entryOf = (number: number, fee = '10.00') =>
  encodeRateSet(`au-nsw-${number}-fy27`, inventedSet('AU_NSW', { fee }), [federal]).entry
const ratesIndex = (count: number) => encodeRatesIndex(Array.from({ length: count }, (_, at) => entryOf(at)), 1)

/** The objects that an index is stored in: its text, and the text of each page by name. */
function stored(index: RatesIndex | ClientsIndex) {
  const text = indexConfigMap('driveaway', index).data['index.json'] ?? ''
  const pages = new Map(splitIndex(index).pages.map(({ name, shard }) => [name, shardJson(shard)]))
  const largest = Math.max(text.length, ...[...pages.values()].map((page) => page.length))
  return { text, pages, largest }
}

test('an index of 2,025 sets, which one ConfigMap cannot hold, is split far below its limit and read back', () => {
  const index = ratesIndex(2025)
  expect(stored({ ...index, formatVersion: 1 }).largest).toBeGreaterThan(1024 * KIB)
  const { text, pages, largest } = stored(index)
  expect(largest).toBeLessThan(256 * KIB)
  expect(pageNamesIn(text)).toEqual([...pages.keys()])
  expect(parseRatesIndex(text, pages)).toEqual(index)
})

test('a change of one set in a split index makes one new page', () => {
  const index = ratesIndex(2025)
  const changed = encodeRatesIndex(
    index.sets.map((entry) => (entry.name === 'au-nsw-7-fy27' ? entryOf(7, '20.00') : entry)),
    2,
  )
  const before = stored(index).pages
  expect([...stored(changed).pages.keys()].filter((name) => !before.has(name))).toHaveLength(1)
})

test('an index of 4,000 shards of clients is split and read back in order', () => {
  const digest = (at: number) => `sha256:${String(at).padStart(64, '0')}`
  const shards = Array.from({ length: 4000 }, (_, at) => ({ name: `clients-v2-${at}-0`, digest: digest(at), count: 1000 }))
  const index = encodeClientsIndex(shards as never, 1)
  const { text, pages, largest } = stored(index)
  expect(largest).toBeLessThan(256 * KIB)
  expect(parseClientsIndex(text, pages)).toEqual(index)
})

test('a page that is gone or changed is never read as part of an index', () => {
  const { text, pages } = stored(ratesIndex(400))
  const [first = ''] = pages.keys()
  expect(() => parseRatesIndex(text, new Map([...pages].slice(1)))).toThrow(first)
  const changed = new Map(pages).set(first, (pages.get(first) ?? '').replace('au-nsw', 'au-vic'))
  expect(() => parseRatesIndex(text, changed)).toThrow(first)
})
