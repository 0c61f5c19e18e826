import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { DeclaredStream } from '#runtime/nats/declare.ts'
import {
  ensureStorage as ensureDeclared,
  StorageFault,
  streamInfo,
  type StorageRole,
} from '#runtime/nats/ensure-storage.ts'
import { CLOSED, raiseSequences, type SequenceLooks } from './raise-sequences.ts'
import { nextSequence } from './next-sequence.ts'
import { BATCHES, BUCKETS, declaredStorage, firstSequence, type InventorySettings } from './storage.ts'

/**
 * Creates and checks everything that inventory stores in JetStream, and returns what it changed; throws when it is not
 * as declared. The worker owns it, and it alone consumes.
 */
export async function ensureStorage(
  connection: NatsConnection,
  settings: InventorySettings,
  role: StorageRole = 'owner',
  looks?: SequenceLooks,
): Promise<string[]> {
  const { consumer, ...stored } = declaredStorage(settings, await firstSequenceNow(connection, role))
  if (role === 'user') return ensureDeclared(connection, { streams: stored.streams.map(withoutWord) }, role)
  const { isClosed, told } = await raiseSequences(await jetstreamManager(connection), looks)
  const streams = isClosed ? stored.streams.map(closed) : stored.streams
  const changed = await ensureDeclared(connection, { ...stored, streams, ...(consumer && { consumer }) }, role)
  return [...told, ...changed]
}

const closed = ({ config, first }: DeclaredStream): DeclaredStream =>
  config.name === BATCHES ? { config: { ...config, subjects: [CLOSED] } } : { config, ...(first && { first }) }

/** The metadata of a stream is the word of its owner: one that the API makes has none, so that the worker's holds. */
const withoutWord = ({ config: { metadata: _word, ...config }, first }: DeclaredStream): DeclaredStream => ({
  config,
  ...(first && { first }),
})

/** Where a stream of batches begins that is created now. */
export async function firstSequenceNow(connection: NatsConnection, role: StorageRole = 'owner'): Promise<number> {
  const manager = await jetstreamManager(connection)
  const now = firstSequence(Date.now())
  if (await streamInfo(manager, BATCHES)) return now
  const vehicles = await streamInfo(manager, `KV_${BUCKETS.vehicles}`)
  if (!vehicles || vehicles.state.messages === 0) return now
  // Without a right to read vehicles, nobody can tell where the lost stream was.
  if (role === 'user') throw new StorageFault(`the stream ${BATCHES} is missing; the worker creates it`)
  const { name, allow_direct: isRead } = vehicles.config
  // One of an earlier version is made as it is declared, so that it can be read.
  if (!isRead) await manager.streams.update(name, { allow_direct: true })
  return Math.max(now, await nextSequence(manager, vehicles))
}
