import type { CompletionResult, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { isBatchRefused, isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'
import { parseExactly } from './exact-json.ts'
import { publishTogether, type ExpectedMessage } from './publish-together.ts'
import { BUCKETS } from './storage.ts'
import { compareOrder, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from './vehicle-record.ts'

const VEHICLES = `KV_${BUCKETS.vehicles}`
/** The order of a vehicle beside its record: a vehicle that is replaced need not be parsed. */
const ORDER = 'Driveaway-Order'
/** Bytes of stored vehicles that one read gives; those beyond are not seen, so that the write is refused. */
const MOST_READ = 8 * 1024 * 1024

export interface VehicleServer {
  connection: NatsConnection
  manager: JetStreamManager
}

/**
 * Stores the vehicles of a batch that are later than what is stored, all of them or none; false when none was stored, and each has
 * to be stored by itself: somebody else writes one of them, or the server takes no more batches now. A replica may answer the read
 * with what was stored a moment ago: each write then expects a sequence that is no longer the last.
 */
export async function storeTogether(
  written: readonly WrittenVehicle[],
  { connection, manager }: VehicleServer,
): Promise<boolean> {
  const latest = latestOf(written)
  const stored = await readAll(manager, [...latest.keys()])
  if (!stored) return false
  const messages = [...latest].flatMap(([subject, vehicle]) => later(subject, vehicle, stored.get(subject)))
  try {
    await publishTogether(connection, messages)
    return true
  } catch (error) {
    if (isConflict(error) || isBatchRefused(error)) return false
    throw error
  }
}

/** By subject; of a vehicle that is twice in the batch, the later one. */
function latestOf(written: readonly WrittenVehicle[]): Map<string, WrittenVehicle> {
  const latest = new Map<string, WrittenVehicle>()
  for (const vehicle of written) {
    const subject = `$KV.${BUCKETS.vehicles}.${keyOf(vehicle.client_id, vehicle.source_id)}`
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
  // It is not read where the setting was taken from the stream: one by one, as before it had it.
  return (await isRead) ? found : undefined
}

function later(subject: string, { order: own, text }: WrittenVehicle, stored?: StoredMsg): ExpectedMessage[] {
  const order = stored && orderOf(stored)
  if (order && compareOrder(order, own) >= 0) return []
  const { sequence, index, run } = own
  return [{ subject, text, lastSequence: stored?.seq ?? 0, headers: { [ORDER]: [`${sequence} ${index} ${run}`] } }]
}

/** The order of a stored vehicle; undefined for the mark of a vehicle that was deleted or has ended. */
export function orderOf(message: StoredMsg): VehicleOrder | undefined {
  if (message.data.length === 0) return undefined
  const [sequence, index, run] = message.header.get(ORDER).split(' ').map(Number)
  if (sequence !== undefined && index !== undefined && run !== undefined) return { sequence, index, run }
  return parseExactly<VehicleRecord>(message.string()).order
}
