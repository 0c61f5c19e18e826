import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { pageNamesIn, parseClientsIndex } from '#rates/published/parse-index.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createGiveWay } from './give-way.ts'
import { holdManyClients, type HeldClients } from './held.ts'

export type ReadShards = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Loads the clients that the text of an index names. */
export type LoadClients = (indexText: string) => Promise<HeldClients>

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
  return async (indexText) => {
    const index = parseClientsIndex(indexText, await readPages(pageNamesIn(indexText)))
    const texts = await readShards(index.shards.map((shard) => shard.name))
    const giveWay = createGiveWay(clock)
    const { byId, lost } = await decode(index, texts, giveWay)
    for (const fault of lost.values()) throw fault
    return holdManyClients({ byId, digest: index.digest, sequence: index.sequence }, giveWay)
  }
}
