import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { pageNamesIn, parseClientsIndex } from '#rates/published/parse-index.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createGiveWay } from './give-way.ts'
import { holdManyClients, type HeldClients } from './held.ts'
import type { ReadShards } from './shard-cache.ts'

/** Loads the clients that the text of an index names; the signal aborts the reading of its shards. */
export type LoadClients = (indexText: string, signal?: AbortSignal) => Promise<HeldClients>

/**
 * Creates the loader that reads and verifies the bindings in a clients index. The loader throws when any part is
 * invalid. It does not parse again a shard that it loaded last time, and requests are answered between two shards.
 */
export function createClientsLoader(
  readShards: ReadShards,
  readPages: ReadShards,
  clock: Clock = systemClock,
): LoadClients {
  const decode = clientsDecoder()
  return async (indexText, signal) => {
    const index = parseClientsIndex(indexText, await readPages(pageNamesIn(indexText), signal))
    const shardNames = index.shards.map((shard) => shard.name)
    const texts = await readShards(shardNames, signal)
    const giveWay = createGiveWay(clock)
    const { byId, lost } = await decode(index, texts, giveWay)
    for (const fault of lost.values()) throw fault
    return holdManyClients({ byId, digest: index.digest, sequence: index.sequence }, giveWay)
  }
}
