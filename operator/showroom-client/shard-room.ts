/**
 * Names whose hashes start alike share a shard, however many shards there are. When such a shard is too large, the
 * clients that would add most to it get a fault, and their published bindings stay, narrowed. A suspension adds
 * nothing, so it is always published.
 */
import { storedSize } from '#rates/published/binding-text.ts'
import { clientShardNumber, fitClients, shardOfClient } from '#rates/published/encode-clients.ts'
import { SHARD_LIMIT } from '#rates/published/encode-rates.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { asSame, narrowed } from './binding.ts'
import { identityOf } from './identity.ts'
import type { ClientVerdict } from './decide.ts'

type Bindings = ReadonlyMap<string, ClientBinding>

/** The verdicts whose bindings fit into `count` shards; `before` is the present number of shards. */
export function withinShards(
  verdicts: readonly ClientVerdict[],
  published: Bindings,
  before?: number,
): { verdicts: readonly ClientVerdict[]; count: number } {
  const bindings = verdicts.flatMap(({ binding }) => binding ?? [])
  const { count, overfull } = fitClients(bindings, before)
  if (overfull.size === 0) return { verdicts, count }
  const byShard = Map.groupBy(verdicts, ({ client }) => shardOfClient(client.metadata.name, count))
  const replaced = new Map<ClientVerdict, ClientVerdict>()
  for (const [number, size] of overfull)
    for (const each of growing(byShard.get(number) ?? [], published, size))
      replaced.set(each.verdict, heldVerdict(each, `shard ${clientShardNumber(number)} would take ${size}`))
  return { verdicts: verdicts.map((verdict) => replaced.get(verdict) ?? verdict), count }
}

interface Growing {
  verdict: ClientVerdict
  /** The published binding without the rights that the object removes. */
  stays: ClientBinding | undefined
  /** Bytes that the new binding adds to the shard. */
  growth: number
}

/** The clients of one shard that would add most to it, until the others fit. */
function growing(verdicts: readonly ClientVerdict[], published: Bindings, size: number): Growing[] {
  const all = verdicts.map((verdict) => growthOf(verdict, published)).filter(({ growth }) => growth > 0)
  let rest = size
  return all
    .sort((a, b) => b.growth - a.growth || (nameOf(a) < nameOf(b) ? -1 : 1))
    .filter(({ growth }) => rest > SHARD_LIMIT && (rest -= growth) > 0)
}

const nameOf = ({ verdict }: Growing) => verdict.client.metadata.name

function growthOf(verdict: ClientVerdict, published: Bindings): Growing {
  const { client, binding } = verdict
  const before = published.get(client.metadata.name)
  if (!binding || binding === before) return { verdict, stays: before, growth: 0 }
  const stays = before?.uid === identityOf(client) ? asSame(before, narrowed(before, binding)) : undefined
  // A binding that is left out also saves its comma.
  return { verdict, stays, growth: storedSize(binding) - (stays ? storedSize(stays) : -','.length) }
}

function heldVerdict({ verdict: { client, faults }, stays, growth }: Growing, shard: string): ClientVerdict {
  const message = `adds ${growth} bytes to a shard without room: with other large clients of the same hash, the shard would have ${shard} bytes; expected at most ${SHARD_LIMIT}; make one of these clients smaller`
  return { client, faults: [{ check: 'shard-room', path: '', message }, ...faults], ...(stays && { binding: stays }) }
}
