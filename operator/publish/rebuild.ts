import { clientsDigest } from '#rates/published/encode-clients.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import type { ClientShardReference, ClientsIndex, RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { Stamp } from './stamps.ts'

/** The rates index of the newest release whose shards all exist and are stamped; undefined when there is none. */
export function rebuildRatesIndex(
  stamps: readonly Stamp[],
  isThere: (shard: string) => boolean,
): RatesIndex | undefined {
  for (const group of newestFirst(stamps)) {
    const entries = new Map(group.map(({ entry }) => [(entry as RateSetEntry).name, entry as RateSetEntry]))
    const index = encodeRatesIndex([...entries.values()], group[0]?.sequence ?? 0, 1)
    const isWhole = index.sets.every((set) => set.shards.every((shard) => isThere(shard.name)))
    if (isWhole && index.release === group[0]?.release) return index
  }
  return undefined
}

/** The clients index of the newest release whose shards all exist and are stamped; undefined when there is none. */
export function rebuildClientsIndex(
  stamps: readonly Stamp[],
  isThere: (shard: string) => boolean,
): ClientsIndex | undefined {
  for (const group of newestFirst(stamps)) {
    const byName = new Map(
      group.map(({ entry }) => [(entry as ClientShardReference).name, entry as ClientShardReference]),
    )
    const shards = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const [first] = group
    if (!first || !shards.every((shard) => isThere(shard.name)) || clientsDigest(shards) !== first.release) continue
    return { formatVersion: 1, kind: 'clients', sequence: first.sequence, digest: first.release, shards }
  }
  return undefined
}

function newestFirst(stamps: readonly Stamp[]): Stamp[][] {
  const groups = Map.groupBy(stamps, (stamp) => `${stamp.sequence} ${stamp.release}`)
  // Of two attempts at one sequence, the later one may have become the index.
  const latest = (group: Stamp[]) => group.reduce((at, stamp) => (stamp.at > at ? stamp.at : at), '')
  return [...groups.values()].sort(
    (a, b) => (b[0]?.sequence ?? 0) - (a[0]?.sequence ?? 0) || (latest(b) > latest(a) ? 1 : -1),
  )
}
