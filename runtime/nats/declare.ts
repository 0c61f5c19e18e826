import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'

/** What a program keeps in JetStream, with every limit. */
export interface DeclaredStorage {
  streams: readonly DeclaredStream[]
  consumer?: DeclaredConsumer
  /** What an earlier version made and nobody uses any more; removed where it is there. */
  formerConsumers?: readonly { stream: string; name: string }[]
}

export interface DeclaredStream {
  config: Partial<StreamConfig> & { name: string }
  /** What counts only when the stream is made. */
  first?: Partial<StreamConfig>
}

export interface DeclaredConsumer {
  stream: string
  config: Partial<ConsumerConfig> & { durable_name: string }
}

/** How large and how safe a storage is; every program that uses it must be given the same. */
export interface StorageSettings {
  /** Copies of each stream in the NATS cluster: 1, 3 or 5. */
  replicas: number
  /** Bytes that all of it together may take on the disk of one server. */
  bytes: number
}

/** Bytes of the largest message, below what a server must take to be used at all. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024

/** Makes the declarations of a storage, each with its share of the bytes. */
export function declaring({ replicas, bytes }: StorageSettings) {
  const stream = (name: string, share: number, rest: Partial<StreamConfig>): DeclaredStream['config'] => ({
    name,
    storage: 'file',
    retention: 'limits',
    // A full stream refuses what is new: what was accepted is never pushed out.
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
      // Reads go to the leader: a replica that lags would not know what was just written.
      allow_direct: false,
    })
  return { stream, bucket }
}
