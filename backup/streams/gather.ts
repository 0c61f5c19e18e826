import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { streamInfo } from '#runtime/nats/ensure-storage.ts'
import { QUEUES, STORES, type KeptStream } from './kept-streams.ts'
import { linesOfQueue } from './queue.ts'
import { snapshotOf } from './snapshot.ts'

/**
 * Everything that a backup keeps of NATS, queues first. A batch that is completed while the rest is read is done again
 * after a restore; a batch that arrives meanwhile leaves, at worst, a job without a batch. Read each stream before
 * requesting the next.
 */
export async function* gatherStreams(connection: NatsConnection): AsyncGenerator<KeptStream> {
  const manager = await jetstreamManager(connection)
  for (const name of [...QUEUES, ...STORES]) {
    const found = await streamInfo(manager, name)
    // An installation without notices has no streams for them.
    if (!found) continue
    if (!QUEUES.includes(name)) yield await snapshotOf(connection, name)
    else yield { head: { config: found.config, state: found.state }, bytes: linesOfQueue(connection, name) }
  }
}
