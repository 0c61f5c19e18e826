import { SHARD_KEY, shardJson } from '#rates/published/config-map.ts'
import type { NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { releaseIn } from '#rates/published/history.ts'
import type { Gathered } from './gather.ts'

/** Chooses the format to write, given that of the index in force, if there is one. */
export type ChooseFormat = (present: number | undefined) => number

/** The desired state: an index and all shards that it names. */
export interface Desired<I extends RatesIndex | ClientsIndex = RatesIndex | ClientsIndex> {
  index: I
  shards: readonly NamedShard[]
}

/** Whether a publication would change nothing: the index is the same and every shard that it names exists. */
export function isPublished<I extends RatesIndex | ClientsIndex>(desired: Desired<I>, gathered: Gathered<I>): boolean {
  const { index, isRebuilt, shards } = gathered
  // Before the first rate set there is no release: readers answer that they are not ready, rather than that nothing has
  // a price.
  if (index === undefined && desired.index.kind === 'rates' && desired.shards.length === 0) return true
  if (isRebuilt || !index || index.formatVersion !== desired.index.formatVersion) return false
  if (releaseIn(index) !== releaseIn(desired.index)) return false
  return desired.shards.every(({ name, shard }) => shards.get(name)?.data?.[SHARD_KEY] === shardJson(shard))
}
