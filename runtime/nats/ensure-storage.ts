import { jetstreamManager } from '@nats-io/jetstream'
import type { ConsumerConfig, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { DeclaredConsumer, DeclaredStorage, DeclaredStream } from './declare.ts'
import { isConsumerMissing, isStreamMissing, isStreamOtherwise } from './jetstream-error.ts'

/**
 * Makes what of a storage is missing, makes what is too small larger, and reads all of it back; throws an error that
 * names each setting which is not as declared.
 */
export async function ensureStorage(connection: NatsConnection, { streams, consumer }: DeclaredStorage): Promise<void> {
  const manager = await jetstreamManager(connection)
  const faults: string[] = []
  for (const declared of streams) {
    const found = await ensureStream(manager, declared)
    faults.push(...differences(`stream ${declared.config.name}`, declared.config, { ...found }))
  }
  if (faults.length === 0) {
    const found = await ensureConsumer(manager, consumer)
    faults.push(...differences(`consumer ${consumer.config.durable_name}`, consumer.config, { ...found }))
  }
  if (faults.length > 0) throw new Error(faults.join('; '))
}

async function ensureStream(manager: JetStreamManager, { config, first }: DeclaredStream): Promise<StreamConfig> {
  const { name } = config
  const found = (await streamInfo(manager, name))?.config
  if (!found) {
    // Two programs that start at once may both get here; the same stream twice is no error.
    await manager.streams.add({ ...config, ...first }).catch(alreadyThere)
  } else if (isTooSmall(found, config)) {
    // Never smaller: a stream that shrinks drops its oldest messages, also where it discards what is new.
    await manager.streams.update(name, { max_bytes: config.max_bytes, num_replicas: config.num_replicas })
  }
  return (await manager.streams.info(name)).config
}

/** What the server says of a stream; undefined where there is none. */
export async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (isStreamMissing(error)) return undefined
    throw error
  }
}

function alreadyThere(error: unknown): void {
  // Made in between, with another configuration: it is read back and compared like any other.
  if (!isStreamOtherwise(error)) throw error
}

function isTooSmall(found: StreamConfig, declared: Partial<StreamConfig>): boolean {
  return found.max_bytes < (declared.max_bytes ?? 0) || found.num_replicas !== declared.num_replicas
}

async function ensureConsumer(
  manager: JetStreamManager,
  { stream, config }: DeclaredConsumer,
): Promise<ConsumerConfig> {
  const name = config.durable_name
  try {
    return (await manager.consumers.info(stream, name)).config
  } catch (error) {
    if (!isConsumerMissing(error)) throw error
    await manager.consumers.add(stream, config)
    return (await manager.consumers.info(stream, name)).config
  }
}

/** One line for each declared setting that was found to be another. */
export function differences(what: string, declared: object, found: Record<string, unknown>): string[] {
  return Object.entries(declared)
    .filter(([key, value]) => !isAsDeclared(key, value, found[key]))
    .map(([key, value]) => `${what}: ${key} is ${JSON.stringify(found[key])}, expected ${JSON.stringify(value)}`)
}

function isAsDeclared(key: string, declared: unknown, found: unknown): boolean {
  // Larger than declared is somebody's choice, and no harm.
  if (key === 'max_bytes') return Number(found) >= Number(declared)
  // The server leaves out what is off.
  if (declared === false || declared === 0) return found === declared || found === undefined
  return JSON.stringify(found) === JSON.stringify(declared)
}
