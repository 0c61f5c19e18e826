import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { pageNamesIn, parseClientsIndex } from '#rates/published/decode.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createGiveWay } from './give-way.ts'
import { holdManyClients, type HeldClients } from './held.ts'

export type ReadShards = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Loads the clients that the text of an index names. */
export type LoadClients = (indexText: string) => Promise<HeldClients>

/**
 * Makes the loader that reads and verifies the bindings that a clients index names; it throws when any part of it does not
 * hold. A shard that was loaded last time is not parsed again, and requests are answered between one shard and the next.
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
