import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { streamInfo } from '#runtime/nats/ensure-storage.ts'
import { QUEUES, STORES, type KeptStream } from './kept-streams.ts'
import { linesOfQueue } from './queue.ts'
import { snapshotOf } from './snapshot.ts'

/**
 * Everything of NATS that a backup keeps, the queues first: a batch that is done while the rest is read is done again by whoever
 * restores, and one that came in the meantime has a job without a batch at worst. Each is to be read before the next is asked for.
 */
export async function* gatherStreams(connection: NatsConnection): AsyncGenerator<KeptStream> {
  const manager = await jetstreamManager(connection)
  for (const name of [...QUEUES, ...STORES]) {
    const found = await streamInfo(manager, name)
    // Without notices there is nothing of notices.
    if (!found) continue
    if (!QUEUES.includes(name)) yield await snapshotOf(connection, name)
    else yield { head: { config: found.config, state: found.state }, bytes: linesOfQueue(connection, name) }
  }
}
