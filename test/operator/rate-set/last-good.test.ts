import { expect, test } from 'vitest'
import { shardJson } from '#rates/published/config-map.ts'
import { encodeRateSet, encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { readLastGood, type KnownSpecs } from '../../../operator/rate-set/last-good.ts'
import { inventedSet } from '../invented-set.ts'

function published(fee: string) {
  const { entry, shards } = encodeRateSet('au-fy27', inventedSet('AU', { fee }))
  const texts = shards.map(({ name, shard }) => [name, shardJson(shard)] as const)
  return { entry, texts, index: encodeRatesIndex([entry], 2) }
}

const feeOf = (spec: ReturnType<typeof inventedSet> | undefined) => spec?.parameters?.[0]?.values[0]?.value

test('a set that is published as it was keeps the object of its spec', () => {
  const { index, texts } = published('10.00')
  const known: KnownSpecs = new Map()
  const first = readLastGood(index, new Map(texts), known).specs.get('au-fy27')
  expect(feeOf(first)).toBe('10.00')
  expect(readLastGood(index, new Map(texts), known).specs.get('au-fy27')).toBe(first)
})

test('of a damaged shard, what was read before counts, or the object with that very content, never an earlier release', () => {
  const [earlier, now] = [published('9.00'), published('10.00')]
  const known: KnownSpecs = new Map()
  const texts = new Map([...earlier.texts, ...now.texts])
  expect(feeOf(readLastGood(now.index, texts, known).specs.get('au-fy27'))).toBe('10.00')
  const [name, text] = now.texts[0]!
  texts.set(name, text.replaceAll('10.00', '11.00'))
  expect(readLastGood(now.index, texts, new Map()).specs.has('au-fy27')).toBe(false)
  expect(readLastGood(now.index, texts, new Map()).lost.get('au-fy27')).toEqual(now.entry)
  expect(feeOf(readLastGood(now.index, texts, known).specs.get('au-fy27'))).toBe('10.00')
  const object = inventedSet('AU', { fee: '10.00' })
  expect(readLastGood(now.index, texts, new Map(), () => object).specs.get('au-fy27')).toBe(object)
  const other = inventedSet('AU', { fee: '12.00' })
  expect(readLastGood(now.index, texts, new Map(), () => other).lost.has('au-fy27')).toBe(true)
})
