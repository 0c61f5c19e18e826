import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'

/** The streams and buckets of a program in JetStream, with every limit. */
export interface DeclaredStorage {
  streams: readonly DeclaredStream[]
  consumer?: DeclaredConsumer
  /** Consumers of an earlier version that nothing uses any more; removed when they exist. */
  formerConsumers?: readonly { stream: string; name: string }[]
}

export interface DeclaredStream {
  config: Partial<StreamConfig> & { name: string }
  /** Settings that apply only when the stream is created. */
  first?: Partial<StreamConfig>
}

export interface DeclaredConsumer {
  stream: string
  config: Partial<ConsumerConfig> & { durable_name: string }
}

/** Size and replication of a storage; every program that uses the storage must have the same settings. */
export interface StorageSettings {
  /** Replicas of each stream in the NATS cluster: 1, 3 or 5. */
  replicas: number
  /** Most bytes of the whole storage on the disk of one server. */
  bytes: number
}

/** Bytes of the largest message; less than the size that a server must accept to be fit for use. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024

/** Creates the declarations of a storage, each with its share of the bytes. */
export function declaring({ replicas, bytes }: StorageSettings) {
  const stream = (name: string, share: number, rest: Partial<StreamConfig>): DeclaredStream['config'] => ({
    name,
    storage: 'file',
    retention: 'limits',
    // A full stream refuses new messages, so that accepted ones are never dropped.
    discard: 'new',
    num_replicas: replicas,
    max_bytes: Math.floor(bytes * share),
    max_msg_size: LARGEST_MESSAGE,
    max_age: 0,
    ...rest,
  })
  const bucket = (name: string, share: number, maxAgeMs: number): DeclaredStream['config'] =>
    stream(`KV_${name}`, share, {
      subjects: [`$KV.${name}.>`],
      max_msgs_per_subject: 1,
      max_age: nanos(maxAgeMs),
      allow_rollup_hdrs: true,
      deny_delete: true,
      // Reads go to the leader: a lagging replica might not have the latest write.
      allow_direct: false,
    })
  return { stream, bucket }
}
