import { expect, test } from 'vitest'
import { shardJson } from '#rates/published/config-map.ts'
import { encodeRateSet, encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { lastGood, type KnownSpecs } from '../../../operator/rate-set/last-good.ts'
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
  const first = lastGood(index, new Map(texts), known).get('au-fy27')
  expect(feeOf(first)).toBe('10.00')
  expect(lastGood(index, new Map(texts), known).get('au-fy27')).toBe(first)
})

test('a shard that is damaged after it was read is noticed, and an earlier release does not come back for it', () => {
  const [earlier, now] = [published('9.00'), published('10.00')]
  const known: KnownSpecs = new Map()
  const texts = new Map([...earlier.texts, ...now.texts])
  expect(feeOf(lastGood(now.index, texts, known).get('au-fy27'))).toBe('10.00')
  const [name, text] = now.texts[0]!
  texts.set(name, text.replaceAll('10.00', '11.00'))
  expect(lastGood(now.index, texts, new Map()).has('au-fy27')).toBe(false)
})
