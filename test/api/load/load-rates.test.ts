import { expect, test } from 'vitest'
import { createRatesLoader } from '../../../api/load/load-rates.ts'
import { shardJson } from '../../../rates/published/config-map.ts'
import { encodeRateSet, encodeRatesIndex } from '../../../rates/published/encode-rates.ts'
import { findJurisdiction } from '../../../rates/answers/find-jurisdiction.ts'
import { FEDERAL_FEE, inventedSet } from '../../operator/invented-set.ts'
import { publishedVictoria } from '../victorian-rates.ts'

/** A publication at `rate` dollars of duty, as the text of its index and a reader of its shards that keeps what was asked for. */
function publication(rate: string, sequence = 1) {
  const sets = publishedVictoria(rate)
  const entries = sets.map(({ entry }) => entry)
  const texts = new Map(sets.flatMap(({ shards }) => shards.map(({ name, shard }) => [name, shardJson(shard)])))
  return { index: JSON.stringify(encodeRatesIndex(entries, sequence)), texts, entries }
}

function reader() {
  const read: string[] = []
  const texts = new Map<string, string>()
  const readShards = (names: readonly string[]) => {
    read.push(...names)
    return Promise.resolve(texts)
  }
  return { load: createRatesLoader(readShards), read, texts }
}

const offer = (to: Map<string, string>, from: Map<string, string>) => from.forEach((text, name) => to.set(name, text))

test('of the next index only the sets that are new are read, and the others stay as they were compiled', async () => {
  const { load, read, texts } = reader()
  const [before, after] = [publication('8.40'), publication('8.60', 2)]
  offer(texts, before.texts)
  const first = await load(before.index)
  offer(texts, after.texts)
  read.length = 0
  const second = await load(after.index, first.snapshot)
  expect(read).toEqual(after.entries[1]!.shards.map(({ name }) => name))
  expect(second.snapshot.programs['au-fy27']).toBe(first.snapshot.programs['au-fy27'])
  expect(second.snapshot.programs['au-vic-fy27']).not.toBe(first.snapshot.programs['au-vic-fy27'])
  expect(second.snapshot.digests['au-vic-fy27']).toBe(after.entries[1]!.digest)
})

test('what was read for a load that failed is verified again', async () => {
  const { load, texts } = reader()
  const { index, entries, texts: right } = publication('8.40')
  const [shard] = entries[1]!.shards
  offer(texts, right)
  texts.set(shard!.name, right.get(shard!.name)!.replace('8.40', '9.40'))
  await expect(load(index)).rejects.toThrow(`shard ${shard!.name}: its text does not hash to`)
  await expect(load(index)).rejects.toThrow(`shard ${shard!.name}: its text does not hash to`)
  offer(texts, right)
  expect((await load(index)).snapshot.digests['au-vic-fy27']).toBe(entries[1]!.digest)
})

/** AU and two states, one of which has a fee in dollars. */
function states(fee: string, isWithdrawn = (_name: string) => false) {
  const federal = encodeRateSet('au-fy27', inventedSet('AU'))
  const imports = [{ name: 'au-fy27', pricingCode: 'AU', digest: federal.entry.digest }]
  const nsw = encodeRateSet('au-nsw-fy27', inventedSet('AU_NSW', { fee }), imports)
  const sets = [federal, nsw, encodeRateSet('au-vic-fy27', inventedSet('AU_VIC', { fee: FEDERAL_FEE }), imports)]
  const texts = new Map(sets.flatMap(({ shards }) => shards.map(({ name, shard }) => [name, shardJson(shard)])))
  const shardOf = (name: string) => sets.find(({ entry }) => entry.name === name)!.shards[0]!.name
  return {
    index: JSON.stringify(
      encodeRatesIndex(
        sets.map(({ entry }) => entry).filter(({ name }) => !isWithdrawn(name)),
        1,
      ),
    ),
    texts,
    shardOf,
  }
}

test('a process that starts without the shards of one set serves the other pricing codes, and says what it lacks', async () => {
  const { load, texts } = reader()
  const { index, texts: right, shardOf } = states('10.00')
  offer(texts, right)
  texts.delete(shardOf('au-vic-fy27'))
  const { snapshot, fault } = await load(index)
  expect(fault?.message).toContain('set au-vic-fy27')
  expect([Object.keys(snapshot.jurisdictions), snapshot.unavailable]).toEqual([['AU_NSW'], ['AU_VIC']])
  const ask = (pricingCode: string) => findJurisdiction(pricingCode, snapshot).pricingCode
  expect(ask('AU_NSW')).toBe('AU_NSW')
  expect(() => ask('AU_VIC')).toThrow(expect.objectContaining({ code: 'not_ready' }) as Error)
  // Another change comes through meanwhile, and the shard when it is there.
  const next = states('20.00')
  offer(texts, next.texts)
  texts.delete(shardOf('au-vic-fy27'))
  const changed = await load(next.index, snapshot)
  expect(changed.snapshot.digests['au-nsw-fy27']).not.toBe(snapshot.digests['au-nsw-fy27'])
  expect(changed.snapshot.unavailable).toEqual(['AU_VIC'])
  offer(texts, next.texts)
  const whole = await load(next.index, changed.snapshot)
  expect([whole.fault, whole.snapshot.unavailable]).toEqual([undefined, []])
})

test('a process that serves a set keeps serving it when the next one cannot be read', async () => {
  const { load, texts } = reader()
  const { index, texts: right, shardOf } = states('10.00')
  offer(texts, right)
  await load(index)
  const next = states('20.00')
  offer(texts, next.texts)
  texts.delete(next.shardOf('au-nsw-fy27'))
  expect(next.shardOf('au-nsw-fy27')).not.toBe(shardOf('au-nsw-fy27'))
  await expect(load(next.index)).rejects.toThrow('set au-nsw-fy27')
})

test('a process that lacks a set follows a withdrawal of all that the process serves', async () => {
  const { load, texts } = reader()
  const { index, texts: right, shardOf } = states('10.00')
  offer(texts, right)
  texts.delete(shardOf('au-vic-fy27'))
  const { snapshot } = await load(index)
  const withdrawn = states('10.00', (name) => name === 'au-nsw-fy27')
  const next = await load(withdrawn.index, snapshot)
  expect([Object.keys(next.snapshot.jurisdictions), next.snapshot.unavailable]).toEqual([[], ['AU_VIC']])
  expect(next.fault?.message).toContain('set au-vic-fy27')
})

test('without the federal set nothing can be priced', async () => {
  const { load, texts } = reader()
  const { index, texts: right, shardOf } = states('10.00')
  offer(texts, right)
  texts.delete(shardOf('au-fy27'))
  await expect(load(index)).rejects.toThrow('set au-fy27')
})

test('other work is done while rates are loaded', async () => {
  const { load, texts } = reader()
  const { index, texts: right } = publication('8.40')
  offer(texts, right)
  let turns = 0
  const turn = () => void (turns++, (next = setImmediate(turn)))
  let next = setImmediate(turn)
  await load(index)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(0)
})
