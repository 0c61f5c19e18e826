import { expect, test } from 'vitest'
import { createRatesLoader } from '../../../api/load/load-rates.ts'
import { shardJson } from '../../../rates/published/config-map.ts'
import { encodeRatesIndex } from '../../../rates/published/encode-rates.ts'
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
