import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { jetstreamManager, type StreamConfig, type StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { firstSequenceNow } from '#inventory/ensure-storage.ts'
import { declaredStorage } from '#inventory/storage.ts'
import { declaredStorage as declaredNotices } from '#notices/storage.ts'
import type { StorageSettings } from '#runtime/nats/declare.ts'
import { STREAM_OFF, streamInfo } from '#runtime/nats/ensure-storage.ts'
import { QUEUES, type KeptStream, type StreamHead } from './kept-streams.ts'
import { requeue } from './queue.ts'
import { restoreStream } from './snapshot.ts'

/** What to do for one stream of a backup. */
export interface StreamStep {
  name: string
  /** `differs`: another stream exists, and stays unless the user says otherwise. */
  action: 'make' | 'fill' | 'nothing' | 'differs'
}

/** What a restore would do for each stream; writes nothing. */
export async function planStreams(connection: NatsConnection, heads: readonly StreamHead[]): Promise<StreamStep[]> {
  const manager = await jetstreamManager(connection)
  return Promise.all(
    heads.map(async (head) => ({
      name: head.config.name,
      action: actionFor(head, await streamInfo(manager, head.config.name)),
    })),
  )
}

/** Decides what to do for a stream, given the existing one; pure. */
export function actionFor({ config, state }: StreamHead, found: StreamInfo | undefined): StreamStep['action'] {
  if (!found) return 'make'
  // Messages are added to those that wait already, and none twice.
  if (QUEUES.includes(config.name)) return 'fill'
  if (found.state.last_seq === 0) return 'fill'
  const isSame = (['messages', 'last_seq', 'last_ts'] as const).every((key) => found.state[key] === state[key])
  return isSame ? 'nothing' : 'differs'
}

/** Executes a step for a stream of the backup, including a step that `differs`. Throws when the server refuses. */
export async function writeStream(connection: NatsConnection, { action }: StreamStep, kept: KeptStream): Promise<void> {
  if (action === 'nothing') return
  const manager = await jetstreamManager(connection)
  const { config } = kept.head
  if (QUEUES.includes(config.name)) {
    // Sequences begin where those of any new queue begin: above every sequence of the lost one.
    const first = { first_seq: await firstSequenceNow(connection) }
    if (action === 'make') await manager.streams.add({ ...asDeclared(config), ...first })
    return requeue(connection, linesOf(kept.bytes))
  }
  const found = await streamInfo(manager, config.name)
  if (found) await manager.streams.delete(config.name)
  // An existing stream keeps the size and the replicas that this installation declares.
  await restoreStream(connection, { ...kept, head: { ...kept.head, config: found?.config ?? asDeclared(config) } })
}

const UNSIZED: StorageSettings = { replicas: 1, bytes: 0 }

/**
 * The settings that this version declares for a stream, because the stream of the backup may have had others that NATS
 * does not change. Size, copies and ages are those of the installation.
 */
function asDeclared(config: StreamConfig): StreamConfig {
  const { streams } = declaredStorage(UNSIZED, 0)
  const all = [...streams, ...declaredNotices(UNSIZED).streams]
  const declared = all.find((each) => each.config.name === config.name)?.config
  if (!declared) return config
  const { num_replicas, max_bytes, max_age, metadata, subject_delete_marker_ttl } = config
  const own = {
    num_replicas,
    max_bytes,
    max_age,
    metadata,
    ...(subject_delete_marker_ttl && { subject_delete_marker_ttl }),
  }
  return { ...config, ...STREAM_OFF, ...declared, ...own }
}

const linesOf = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(bytes), crlfDelay: Infinity })
