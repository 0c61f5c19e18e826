import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Published } from '#notices/tell.ts'
import { decodeRates } from '#rates/published/decode.ts'
import type { RatesIndex } from '#rates/published/format.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { gather, shardTexts } from '../publish/gather.ts'
import { ratesIndex } from '../rate-set/publish.ts'

/** The rates that the API processes price with; read once, and verified only when used. */
export interface PublishedRates {
  release: string
  /** Throws PublishedFault when a shard is invalid. */
  read: () => Published
}

/** The rates index as stored now; undefined before the first release, and while the index is damaged. */
export async function findPublished(
  cluster: Cluster,
  cachedShards: Iterable<V1ConfigMap>,
): Promise<PublishedRates | undefined> {
  const { index, isRebuilt, shards } = await gather<RatesIndex>(cluster, ratesIndex, cachedShards)
  if (!index || isRebuilt) return undefined
  const { release } = index
  return {
    release,
    read: () => ({ release, sets: decodeRates(index, shardTexts(shards)).map(({ spec }) => spec) }),
  }
}
