import { jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { DeclaredConsumer, DeclaredStorage, DeclaredStream } from './declare.ts'
import { isConsumerMissing, isStreamMissing, isStreamOtherwise } from './jetstream-error.ts'

/**
 * The role of a program towards a storage: the owner creates and changes streams; a user only creates missing ones.
 * Whoever may change one stream can fill it from every other stream, so only one program has that right.
 */
export type StorageRole = 'owner' | 'user'

/**
 * Creates the missing parts of a storage, changes the parts that differ from their declaration when the program is the
 * owner, and reads everything back. Throws an error that names each setting that still differs, and why it was not
 * changed.
 */
export async function ensureStorage(
  connection: NatsConnection,
  storage: DeclaredStorage,
  role: StorageRole = 'owner',
): Promise<void> {
  const { streams, consumer, formerConsumers = [] } = storage
  const manager = await jetstreamManager(connection)
  const faults: string[] = []
  for (const declared of streams) faults.push(...(await ensureStream(manager, declared, role)))
  for (const { stream, name } of role === 'owner' ? formerConsumers : [])
    await manager.consumers.delete(stream, name).catch(unlessMissing)
  if (faults.length === 0 && consumer) faults.push(...(await ensureConsumer(manager, consumer)))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

async function ensureStream(
  manager: JetStreamManager,
  { config, first }: DeclaredStream,
  role: StorageRole,
): Promise<string[]> {
  const { name } = config
  const expected = role === 'owner' ? config : withoutSize(config)
  const found = (await streamInfo(manager, name))?.config
  let refusal: string | undefined
  if (!found) {
    // Two programs that start together may both get here; creating the same stream twice is not an error.
    await manager.streams.add({ ...config, ...first }).catch(alreadyThere)
  } else if (differences(name, expected, { ...found }).length > 0) {
    // Never smaller: a shrinking stream drops its oldest messages, even with `discard: 'new'`.
    const max_bytes = Math.max(found.max_bytes, config.max_bytes ?? 0)
    refusal =
      role === 'owner'
        ? await refusalOf(manager.streams.update(name, { ...config, max_bytes }))
        : 'the program that owns the stream changes it'
  }
  const after = (await manager.streams.info(name)).config
  return because(refusal, differences(`stream ${name}`, expected, { ...after }))
}

/**
 * Size and replicas of a stream are decided by its owner; a user of a smaller stream gets an error when the stream is
 * full.
 */
function withoutSize({ max_bytes: _bytes, num_replicas: _copies, ...rest }: DeclaredStream['config']) {
  return rest
}

/** The server's information about a stream; undefined when it does not exist. */
export async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (isStreamMissing(error)) return undefined
    throw error
  }
}

function alreadyThere(error: unknown): void {
  // Created in the meantime with another configuration: it is read back and compared like any other.
  if (!isStreamOtherwise(error)) throw error
}

function unlessMissing(error: unknown): void {
  if (!isConsumerMissing(error)) throw error
}

/** Why the server refused a change; undefined when it accepted the change. */
async function refusalOf(change: Promise<unknown>): Promise<string | undefined> {
  try {
    await change
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const because = (refusal: string | undefined, faults: readonly string[]): string[] =>
  faults.map((fault) => (refusal === undefined ? fault : `${fault} (not changed: ${refusal})`))

async function ensureConsumer(manager: JetStreamManager, { stream, config }: DeclaredConsumer): Promise<string[]> {
  const name = config.durable_name
  const read = async () => ({ ...(await manager.consumers.info(stream, name)).config })
  const found = await read().catch(unlessMissing)
  let refusal: string | undefined
  if (!found) await manager.consumers.add(stream, config)
  else if (differences(name, config, found).length > 0) {
    refusal = await refusalOf(manager.consumers.update(stream, name, config))
  }
  return because(refusal, differences(`consumer ${name}`, config, await read()))
}

/** One line for each declared setting whose actual value differs. */
export function differences(what: string, declared: object, found: Record<string, unknown>): string[] {
  return Object.entries(declared)
    .filter(([key, value]) => !isAsDeclared(key, value, found[key]))
    .map(([key, value]) => `${what}: ${key} is ${JSON.stringify(found[key])}, expected ${JSON.stringify(value)}`)
}

function isAsDeclared(key: string, declared: unknown, found: unknown): boolean {
  // Larger than declared is a choice that does no harm.
  if (key === 'max_bytes') return Number(found) >= Number(declared)
  // The server omits settings that are off.
  if (declared === false || declared === 0) return found === declared || found === undefined
  return JSON.stringify(found) === JSON.stringify(declared)
}
