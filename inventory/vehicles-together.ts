import type { CompletionResult, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { isBatchRefused, isConflict } from '#runtime/nats/jetstream-error.ts'
import { partsOf } from '#runtime/nats/key.ts'
import { parseExactly } from './exact-json.ts'
import { createLastWritten, type LastMessage, type LastWritten } from './last-written.ts'
import { BATCH_ID, publishTogether, type ExpectedMessage } from './publish-together.ts'
import { BUCKETS, vehicleSubject } from './storage.ts'
import { isOrder, isVehicle } from './stored-shapes.ts'
import { readAs, type TellUnreadable } from './unreadable.ts'
import { compareOrder, type VehicleOrder, type WrittenVehicle } from './vehicle-record.ts'

const VEHICLES = `KV_${BUCKETS.vehicles}`
/** The order of a vehicle beside its record: a vehicle that is replaced need not be parsed. */
const ORDER = 'Driveaway-Order'
/** Bytes of stored vehicles that one read gives; those beyond are not seen, so that the write is refused. */
const MOST_READ = 8 * 1024 * 1024
/** Milliseconds for a read; the library ends it after 5 s, but not where the connection was closed meanwhile. */
export const READ_MS = 6_000

export interface VehicleServer {
  connection: NatsConnection
  manager: JetStreamManager
  lastWritten: LastWritten
  tell: TellUnreadable
}

/** What this process has stored on the server of `manager`. */
export const lastWrittenTo = ({ streams }: JetStreamManager): LastWritten =>
  createLastWritten(async ({ sequence, batch }) => {
    // Of the leader, because a copy may be a moment behind; where it cannot be asked, nothing is known.
    const message = await streams.getMessage(VEHICLES, { seq: sequence }).catch(() => null)
    return message?.header.get(BATCH_ID) === batch
  })

/**
 * Stores the vehicles of a batch that are later than what is stored, all of them or none; false when none was stored, and each has
 * to be stored by itself: somebody else writes one of them, or the server takes no more batches now. What is stored is read,
 * unless this process was the last to write all of it. A replica may answer the read with what was stored a moment ago, and others
 * may have written since: each write then expects a sequence that is no longer the last.
 */
export async function storeTogether(written: readonly WrittenVehicle[], server: VehicleServer): Promise<boolean> {
  const latest = latestOf(written)
  const { lastWritten } = server
  const recalled = (await lastWritten.review()) ? lastWritten.recall(latest.keys()) : undefined
  const messages = recalled && messagesOf(latest, recalled)
  // What is not written expects nothing: only a read can say that it is still there.
  if (messages && messages.length > 0 && messages.length === latest.size) {
    const end = await publish(messages, server)
    lastWritten.wasRight(end !== 'conflict')
    if (end !== 'conflict') return end === 'stored'
  }
  const stored = await readAll(server.manager, [...latest.keys()])
  if (!stored) return false
  const last = new Map([...stored].map(([subject, message]) => [subject, lastMessageOf(message, server.tell)]))
  return (await publish(messagesOf(latest, last), server)) === 'stored'
}

async function publish(
  messages: readonly VehicleMessage[],
  { connection, lastWritten }: VehicleServer,
): Promise<'stored' | 'conflict' | 'refused'> {
  try {
    const last = await publishTogether(connection, messages)
    if (!last) return 'stored'
    const first = last.sequence - (messages.length - 1)
    lastWritten.note(
      new Map(messages.map(({ subject, order }, at) => [subject, { sequence: first + at, order }])),
      last,
    )
    return 'stored'
  } catch (error) {
    if (isConflict(error)) return 'conflict'
    if (isBatchRefused(error)) return 'refused'
    throw error
  }
}

/** By subject; of a vehicle that is twice in the batch, the later one. */
function latestOf(written: readonly WrittenVehicle[]): Map<string, WrittenVehicle> {
  const latest = new Map<string, WrittenVehicle>()
  for (const vehicle of written) {
    const subject = vehicleSubject(vehicle.client_id, vehicle.source_id)
    const other = latest.get(subject)
    if (!other || compareOrder(other.order, vehicle.order) < 0) latest.set(subject, vehicle)
  }
  return latest
}

/** The last message of each subject that has one; undefined where the server does not answer this. */
async function readAll(manager: JetStreamManager, subjects: string[]): Promise<Map<string, StoredMsg> | undefined> {
  const found = new Map<string, StoredMsg>()
  if (subjects.length === 0) return found
  const { promise: isRead, resolve: end } = Promise.withResolvers<boolean>()
  // Called back, and not iterated: the library ends the subscription of a read only then.
  const callback = (done: CompletionResult | null, message: StoredMsg) => {
    if (done) end(done.err === undefined)
    else found.set(message.subject, message)
  }
  await manager.direct.getLastMessagesFor(VEHICLES, { multi_last: subjects, max_bytes: MOST_READ, callback })
  const late = setTimeout(() => end(false), READ_MS)
  // It is not read where the setting was taken from the stream: one by one, as before it had it.
  return (await isRead.finally(() => clearTimeout(late))) ? found : undefined
}

function lastMessageOf(message: StoredMsg, tell: TellUnreadable): LastMessage {
  const order = orderOf(message)
  const [, , ...key] = message.subject.split('.')
  if (!order && message.data.length > 0) tell(vehicleNamed(key.join('.')), message.seq)
  return { sequence: message.seq, order }
}

/** The vehicle of a key, as the log names it. */
export function vehicleNamed(key: string): { clientId?: string; sourceId?: string } {
  const [clientId, sourceId] = partsOf(key)
  return { ...(clientId !== undefined && { clientId }), ...(sourceId !== undefined && { sourceId }) }
}

interface VehicleMessage extends ExpectedMessage {
  order: VehicleOrder
}

/** A message for each vehicle that is later than what is stored of its subject. */
function messagesOf(
  latest: ReadonlyMap<string, WrittenVehicle>,
  stored: ReadonlyMap<string, LastMessage>,
): VehicleMessage[] {
  return [...latest].flatMap(([subject, vehicle]) => later(subject, vehicle, stored.get(subject)))
}

function later(subject: string, { order, text }: WrittenVehicle, stored?: LastMessage): VehicleMessage[] {
  if (stored?.order && compareOrder(stored.order, order) >= 0) return []
  const { sequence, index, run } = order
  const headers = { [ORDER]: [`${sequence} ${index} ${run}`] }
  return [{ subject, text, lastSequence: stored?.sequence ?? 0, headers, order }]
}

/** The order of a stored vehicle; undefined for the mark of a vehicle that was deleted or has ended, and for one that cannot be read. */
export function orderOf(message: StoredMsg): VehicleOrder | undefined {
  if (message.data.length === 0) return undefined
  const [sequence, index, run] = message.header.get(ORDER).split(' ').map(Number)
  const order = { sequence, index, run }
  return isOrder(order) ? order : readAs(message.string(), parseExactly, isVehicle)?.order
}
