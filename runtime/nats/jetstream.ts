import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { Kvm, type KV } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'

/** JetStream on one connection. */
export interface OpenJetStream {
  client: JetStreamClient
  manager: JetStreamManager
  /** An existing bucket, read from its leader, because a replica may lag behind our own last write. */
  bucket(name: string): Promise<KV>
}

/** Milliseconds after which a server that has not answered counts as unreachable. */
const ANSWER_MS = 5_000

/** Opens JetStream without checking that the server has it. */
export async function openJetStream(connection: NatsConnection): Promise<OpenJetStream> {
  const client = jetstream(connection, { timeout: ANSWER_MS })
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false })
  const buckets = new Kvm(client)
  return { client, manager, bucket: (name) => buckets.open(name, { allow_direct: false }) }
}
