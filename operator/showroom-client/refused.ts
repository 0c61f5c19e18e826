/**
 * The server refuses a shard of the clients. The index then keeps the shard that it names, and the clients in all other
 * shards are published. Each client that the refused shard would change gets a fault. No right is removed from the
 * shard that stays, so a suspension in it does not take effect; status, event, metric and alert say so.
 */
import {
  clientShardNumber,
  encodeClientsIndex,
  shardOfClient,
  type EncodedClients,
} from '#rates/published/encode-clients.ts'
import type { ClientBinding, ClientsIndex } from '#rates/published/format.ts'
import type { Desired } from '../publish/desired.ts'
import { SHARD_REFUSED, type RefusedShards } from '../publish/refused-shards.ts'
import type { ClientVerdict } from './decide.ts'
import { identityOf } from './identity.ts'

type Head = Pick<ClientsIndex, 'formatVersion' | 'sequence' | 'sources'>

/** The index and the shards to write; throws when there is no earlier shard to keep. */
export function withoutRefused(
  shards: EncodedClients['shards'],
  { formatVersion, sequence, sources }: Head,
  { refused, index }: { refused: RefusedShards; index: ClientsIndex | undefined },
): Desired<ClientsIndex> {
  const isRefused = (number: number) => refused.has(clientShardNumber(number))
  const [first] = refused.values()
  if (first !== undefined && index?.shards.length !== shards.length) throw new Error(first)
  const named = shards.map((shard, number) => (isRefused(number) ? (index?.shards[number] ?? shard) : shard))
  return {
    index: { ...encodeClientsIndex(named, sequence, formatVersion), ...(sources && { sources }) },
    shards: shards.filter((_, number) => !isRefused(number)),
  }
}

/** Adds a fault to each client of a refused shard whose binding would have changed. */
export function heldBack(
  verdicts: readonly ClientVerdict[],
  published: ReadonlyMap<string, ClientBinding>,
  { refused, count }: { refused: RefusedShards; count: number },
): readonly ClientVerdict[] {
  if (refused.size === 0) return verdicts
  return verdicts.map((verdict) => {
    const { client, faults } = verdict
    const { name } = client.metadata
    const message = refused.get(clientShardNumber(shardOfClient(name, count)))
    const stays = published.get(name)
    if (message === undefined || stays === verdict.binding) return verdict
    const isHeldBack = stays?.uid === identityOf(client)
    const because = { check: SHARD_REFUSED, path: '', message }
    return { client, faults: [because, ...faults], isHeldBack, ...(isHeldBack && { binding: stays }) }
  })
}
