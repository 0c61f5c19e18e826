import { decodeClients, pageNamesIn, parseClientsIndex } from '#rates/published/decode.ts'
import { holdClients, type HeldClients } from './held.ts'

export type ReadShards = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Reads and verifies the bindings that a clients index names; throws when any part of it does not hold. */
export async function loadClients(indexText: string, readShards: ReadShards): Promise<HeldClients> {
  const index = parseClientsIndex(indexText, await readShards(pageNamesIn(indexText)))
  const texts = await readShards(index.shards.map((shard) => shard.name))
  const byId = decodeClients(index, texts)
  return holdClients({ byId, digest: index.digest, sequence: index.sequence })
}
