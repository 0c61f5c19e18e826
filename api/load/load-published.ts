import type { Snapshot } from '#rates/engine/snapshot.ts'
import { buildSnapshot } from '#rates/engine/snapshot.ts'
import { decodeClients, decodeRates, parseClientsIndex, parseRatesIndex } from '#rates/published/decode.ts'
import { holdClients, type HeldClients, type HeldRates } from './held.ts'

export type ReadShards = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Reads, verifies and compiles what a rates index names; throws, changing nothing, when any part of it does not hold. */
export async function loadRates(indexText: string, readShards: ReadShards, previous?: Snapshot): Promise<HeldRates> {
  const index = parseRatesIndex(indexText)
  const texts = await readShards(index.sets.flatMap((entry) => entry.shards.map((shard) => shard.name)))
  const sets = decodeRates(index, texts).map(({ entry, spec }) => {
    const { name, digest, imports } = entry
    return { name, digest, imports, spec }
  })
  const snapshot = buildSnapshot({ release: index.release, sets }, previous)
  return Object.freeze({ snapshot, sequence: index.sequence, loadedAt: new Date().toISOString() })
}

/** Reads and verifies the bindings that a clients index names; throws when any part of it does not hold. */
export async function loadClients(indexText: string, readShards: ReadShards): Promise<HeldClients> {
  const index = parseClientsIndex(indexText)
  const texts = await readShards(index.shards.map((shard) => shard.name))
  const byId = decodeClients(index, texts)
  return holdClients({ byId, digest: index.digest, sequence: index.sequence })
}
