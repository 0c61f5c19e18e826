import { jetstreamManager } from '@nats-io/jetstream'
import type { ConsumerConfig, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { DeclaredConsumer, DeclaredStorage, DeclaredStream } from './declare.ts'
import { isConsumerMissing, isStreamMissing, isStreamOtherwise } from './jetstream-error.ts'

/**
 * The role of a program towards a storage: the owner creates and changes streams; a user only creates missing ones.
 * Whoever may change one stream can fill it from every other stream, so only one program has that right.
 */
export type StorageRole = 'owner' | 'user'

/** Names each setting that differs from its declaration, and why it was not changed. */
export class StorageFault extends Error {}

/**
 * Settings that bring in, redirect, refuse or drop messages, or stop their delivery: off unless they are declared.
 * Others that nobody declared, such as a description or a placement, are the choice of whoever runs the server.
 */
export const STREAM_OFF: Partial<StreamConfig> = {
  ...{ mirror: undefined, sources: undefined, subject_transform: undefined, republish: undefined },
  ...{ sealed: false, no_ack: false, discard_new_per_subject: false, max_msgs: -1, max_msgs_per_subject: -1 },
}
const CONSUMER_OFF: Partial<ConsumerConfig> = {
  ...{ filter_subject: undefined, filter_subjects: undefined, pause_until: undefined, headers_only: false },
}

/**
 * Creates the missing parts of a storage, changes the parts that differ from their declaration when the program is the
 * owner, and reads everything back. Returns what differed and was changed, one line for each setting. Throws a
 * StorageFault when a setting still differs.
 */
export async function ensureStorage(
  connection: NatsConnection,
  storage: DeclaredStorage,
  role: StorageRole = 'owner',
): Promise<string[]> {
  const { streams, consumer, formerConsumers = [] } = storage
  const manager = await jetstreamManager(connection)
  const faults: string[] = []
  const changed: string[] = []
  const note = ({ before, after, refusal }: Outcome) => {
    faults.push(...because(refusal, after))
    changed.push(...before.filter((line) => !after.includes(line)))
  }
  for (const declared of streams) note(await ensureStream(manager, declared, role))
  for (const { stream, name } of role === 'owner' ? formerConsumers : [])
    await manager.consumers.delete(stream, name).catch(unlessMissing)
  if (faults.length === 0 && consumer) note(await ensureConsumer(manager, consumer))
  if (faults.length > 0) throw new StorageFault(faults.join('; '))
  return changed
}

/** What differed before and after the change, and why the server refused the change. */
interface Outcome {
  before: readonly string[]
  after: readonly string[]
  refusal: string | undefined
}

async function ensureStream(
  manager: JetStreamManager,
  { config, first }: DeclaredStream,
  role: StorageRole,
): Promise<Outcome> {
  const { name } = config
  const expected = { ...STREAM_OFF, ...(role === 'owner' ? config : withoutSize(config)) }
  const found = (await streamInfo(manager, name))?.config
  const before = found ? differences(`stream ${name}`, expected, { ...found }) : []
  let refusal: string | undefined
  if (!found) {
    // Two programs that start together may both get here; creating the same stream twice is not an error.
    await manager.streams.add({ ...config, ...first }).catch(alreadyThere)
  } else if (before.length > 0) {
    refusal =
      role === 'owner'
        ? await refusalOf(manager.streams.update(name, { ...STREAM_OFF, ...config, ...ofBoth(found, config) }))
        : 'the program that owns the stream changes it'
  }
  const after = (await manager.streams.info(name)).config
  return { before, after: differences(`stream ${name}`, expected, { ...after }), refusal }
}

/** What an update takes from the stream too: the larger size, and the metadata that others have written. */
function ofBoth(found: StreamConfig, { max_bytes = 0, metadata }: DeclaredStream['config']): Partial<StreamConfig> {
  return {
    // Never smaller: a shrinking stream drops its oldest messages, even with `discard: 'new'`.
    max_bytes: Math.max(found.max_bytes, max_bytes),
    metadata: { ...found.metadata, ...metadata },
  }
}

/**
 * Size, replicas and metadata of a stream are decided by its owner; a user of a smaller stream gets an error when the
 * stream is full.
 */
function withoutSize({
  max_bytes: _bytes,
  num_replicas: _copies,
  metadata: _about,
  ...rest
}: DeclaredStream['config']) {
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

async function ensureConsumer(manager: JetStreamManager, { stream, config }: DeclaredConsumer): Promise<Outcome> {
  const found = await consumerDifferences(manager, stream, config)
  let refusal: string | undefined
  if (!found) await manager.consumers.add(stream, config)
  else if (found.length > 0) refusal = await refusalOf(updateConsumer(manager, stream, config))
  return { before: found ?? [], after: (await consumerDifferences(manager, stream, config)) ?? [], refusal }
}

/** One line for each setting in which a consumer differs from its declaration; undefined when it does not exist. */
export async function consumerDifferences(
  manager: JetStreamManager,
  stream: string,
  config: DeclaredConsumer['config'],
): Promise<string[] | undefined> {
  const name = config.durable_name
  const info = await manager.consumers.info(stream, name).catch(unlessMissing)
  if (!info) return undefined
  // The end of a pause stays in the settings after it has passed.
  const found = { ...info.config, pause_until: info.paused === true ? info.config.pause_until : undefined }
  return differences(`consumer ${name}`, { ...CONSUMER_OFF, ...config }, found)
}

/** Gives an existing consumer its declared settings; what it has delivered and not yet heard of stays. */
export async function updateConsumer(
  manager: JetStreamManager,
  stream: string,
  config: DeclaredConsumer['config'],
): Promise<void> {
  const { durable_name: name } = config
  const { paused } = await manager.consumers.update(stream, name, { ...CONSUMER_OFF, ...config })
  // The server does not end a pause by an update.
  if (paused === true) await manager.consumers.resume(stream, name)
}

/** One line for each declared setting whose actual value differs. */
export function differences(what: string, declared: object, found: Record<string, unknown>): string[] {
  return Object.entries(declared)
    .filter(([key, value]) => !isAsDeclared(key, value, found[key]))
    .map(
      ([key, value]) =>
        `${what}: ${key} is ${JSON.stringify(found[key])}, expected ${value === undefined ? 'none' : JSON.stringify(value)}`,
    )
}

function isAsDeclared(key: string, declared: unknown, found: unknown): boolean {
  // Larger than declared is a choice that does no harm.
  if (key === 'max_bytes') return Number(found) >= Number(declared)
  // The server and others add their own.
  if (key === 'metadata')
    return Object.entries(Object(declared)).every(([name, value]) => Object(found)[name] === value)
  if (declared === undefined) return found === undefined || found === null || Object.keys(found).length === 0
  // The server omits settings that are off.
  if (declared === false || declared === 0) return found === declared || found === undefined
  return JSON.stringify(found) === JSON.stringify(declared)
}
