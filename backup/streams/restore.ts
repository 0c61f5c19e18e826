import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { firstSequence } from '#inventory/storage.ts'
import { streamInfo } from '#runtime/nats/ensure-storage.ts'
import { QUEUES, type KeptStream, type StreamHead } from './kept-streams.ts'
import { requeue } from './queue.ts'
import { restoreStream } from './snapshot.ts'

/** What is to be done for one stream of a backup. */
export interface StreamStep {
  name: string
  /** `differs`: something else is there, and is to stay unless somebody says otherwise. */
  action: 'make' | 'fill' | 'nothing' | 'differs'
}

/** What a restore would do, stream by stream; nothing is written. */
export async function planStreams(connection: NatsConnection, heads: readonly StreamHead[]): Promise<StreamStep[]> {
  const manager = await jetstreamManager(connection)
  return Promise.all(
    heads.map(async (head) => ({
      name: head.config.name,
      action: actionFor(head, await streamInfo(manager, head.config.name)),
    })),
  )
}

/** What is to be done for a stream, by what is there; pure. */
export function actionFor({ config, state }: StreamHead, found: StreamInfo | undefined): StreamStep['action'] {
  if (!found) return 'make'
  // Messages are put beside what waits already, and none twice.
  if (QUEUES.includes(config.name)) return 'fill'
  if (found.state.last_seq === 0) return 'fill'
  const isSame = (['messages', 'last_seq', 'last_ts'] as const).every((key) => found.state[key] === state[key])
  return isSame ? 'nothing' : 'differs'
}

/** Does what a step says for a stream of the backup; a step that `differs` is done too. Throws where the server refuses. */
export async function writeStream(connection: NatsConnection, { action }: StreamStep, kept: KeptStream): Promise<void> {
  if (action === 'nothing') return
  const manager = await jetstreamManager(connection)
  const { config } = kept.head
  if (QUEUES.includes(config.name)) {
    // Places begin where those of a queue that a program makes do: above all that the lost one can have given.
    if (action === 'make') await manager.streams.add({ ...config, first_seq: firstSequence(Date.now()) })
    return requeue(connection, linesOf(kept.bytes))
  }
  const found = await streamInfo(manager, config.name)
  if (found) await manager.streams.delete(config.name)
  // A stream that a program has made is as large, and has as many copies, as this installation declares.
  await restoreStream(connection, { ...kept, head: { ...kept.head, config: found?.config ?? config } })
}

const linesOf = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(bytes), crlfDelay: Infinity })
