import { SHARD_KEY, shardJson } from '#rates/published/config-map.ts'
import type { NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import type { Gathered } from './gather.ts'
import { keptFrom, type Stamp } from './stamps.ts'

/** What is to be: an index, its shards with the entry that each belongs to, and what is kept of what was. */
export interface Publication {
  index: RatesIndex | ClientsIndex
  release: string
  shards: readonly { shard: NamedShard; entry: Stamp['entry'] }[]
  /** ISO. */
  at: string
  /** The first sequence whose shards are kept. */
  from: number
}

export type Wanted = Omit<Publication, 'at' | 'from'>

/** The publication that would make `wanted` so, or undefined when it is so. */
export function desired<I extends RatesIndex | ClientsIndex>(
  wanted: Wanted,
  gathered: Gathered<I>,
  now: Date,
): Publication | undefined {
  if (isPublished(wanted, gathered) || isNothingYet(wanted, gathered)) return undefined
  return { ...wanted, at: now.toISOString(), from: keptFrom(gathered.stamps, wanted.index.sequence, now) }
}

/** Before the first rate set there is no release: readers answer that they are not ready, and not that nothing is priced. */
function isNothingYet<I extends RatesIndex | ClientsIndex>(wanted: Wanted, { index }: Gathered<I>): boolean {
  return index === undefined && wanted.index.kind === 'rates' && wanted.shards.length === 0
}

function isPublished<I extends RatesIndex | ClientsIndex>(wanted: Wanted, { index, isRebuilt, shards }: Gathered<I>) {
  if (isRebuilt || !index) return false
  const release = index.kind === 'rates' ? index.release : index.digest
  if (release !== wanted.release || index.formatVersion !== wanted.index.formatVersion) return false
  return wanted.shards.every(({ shard }) => shards.get(shard.name)?.data?.[SHARD_KEY] === shardJson(shard.shard))
}
