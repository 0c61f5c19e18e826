import type { KV } from '@nats-io/kv'
import { inParallel } from '#runtime/in-parallel.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import type { Logger } from '#runtime/log.ts'
import { keyOf, partsOf } from '#runtime/nats/key.ts'
import { createTurns } from '#runtime/turns.ts'
import { parseExactly } from './exact-json.ts'
import { isVehicle } from './stored-shapes.ts'
import { readAs, unreadableIn, type TellUnreadable } from './unreadable.ts'
import { compareOrder, type VehicleRecord, type WrittenVehicle } from './vehicle-record.ts'
import { lastWrittenTo, storeTogether, vehicleNamed, type VehicleServer } from './vehicles-together.ts'

export { written, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from './vehicle-record.ts'

/** A vehicle as one attempt at one upload has stored it. */
export type VehicleName = Pick<VehicleRecord, 'client_id' | 'source_id' | 'order'>

/** The vehicles, by client and `vehicle.source_id`. */
export interface Vehicles {
  read(clientId: string, sourceId: string): Promise<VehicleRecord | undefined>
  /** The vehicles of a client that are named, by default all, ordered by `source_id`; and the ids of those that cannot be read. */
  list(clientId: string, sourceIds?: readonly string[]): Promise<{ records: VehicleRecord[]; unreadable: string[] }>
  /** Stores a vehicle unless a later upload is stored: after any order of calls, the latest upload is stored. */
  store(record: VehicleRecord): Promise<'stored' | 'superseded'>
  /** `store` for a vehicle that has parts of the one that it replaces: `follow` gives the text of its record. */
  storeOver(name: VehicleName, follow: (stored: VehicleRecord | undefined) => string): Promise<'stored' | 'superseded'>
  /**
   * Changes a stored vehicle of exactly this order. Returns false, and changes nothing, when another upload or attempt has stored
   * it, or it was removed.
   */
  change(record: VehicleName, change: (stored: VehicleRecord) => VehicleRecord): Promise<boolean>
  /** `store` for all vehicles of a batch, by one read and one write where nobody else writes one of them. */
  storeAll(written: readonly WrittenVehicle[], signal: AbortSignal): Promise<void>
  /** Removes a vehicle, readable or not; false when it does not exist. A batch that still waits, or a replay, can store it again. */
  remove(clientId: string, sourceId: string): Promise<boolean>
}

/** The bucket, and whom to tell that a record in it cannot be read: it counts as none, and the next upload replaces it. */
interface Place {
  bucket: KV
  tell: TellUnreadable
}

async function findIn({ bucket, tell }: Place, key: string): Promise<Found> {
  const entry = await bucket.get(key)
  if (entry?.operation !== 'PUT') return { record: undefined, revision: entry?.revision ?? 0, isThere: false }
  const record = readAs(entry.string(), parseExactly, isVehicle)
  if (!record) tell(vehicleNamed(key), entry.revision)
  return { record, revision: entry.revision, isThere: true }
}

interface Found {
  record: VehicleRecord | undefined
  revision: number
  isThere: boolean
}

type Opened = Pick<VehicleServer, 'connection' | 'manager'> & { log?: Logger | undefined }

/** Of one batch, and of all batches of a worker, in turns of clients: each has a stored vehicle in memory, which can be two megabytes. */
const WRITES_AT_ONCE = 16

export function vehiclesIn(bucket: KV, { connection, manager, log }: Opened): Vehicles {
  const tell = unreadableIn(log, 'a stored vehicle cannot be read and counts as none')
  const vehicles = oneByOne({ bucket, tell })
  const alone = createTurns({ atOnce: WRITES_AT_ONCE, ofOneClient: WRITES_AT_ONCE })
  const server = { connection, manager, lastWritten: lastWrittenTo(manager), tell }
  return {
    ...vehicles,
    storeAll: async (written, signal) => {
      if (await storeTogether(written, server)) return
      await inParallel(WRITES_AT_ONCE, written, (vehicle) =>
        alone.take(vehicle.client_id, signal, async () => {
          await vehicles.storeOver(vehicle, () => vehicle.text)
        }),
      )
    },
  }
}

function oneByOne(place: Place): Omit<Vehicles, 'storeAll'> {
  const { bucket } = place
  const find = (key: string) => findIn(place, key)
  const storeOver: Vehicles['storeOver'] = async ({ client_id: clientId, source_id: sourceId, order }, follow) => {
    const isStored = await replaceIn(place, keyOf(clientId, sourceId), (stored) =>
      stored && compareOrder(stored.order, order) >= 0 ? undefined : follow(stored),
    )
    return isStored ? 'stored' : 'superseded'
  }
  return {
    read: async (clientId, sourceId) => (await find(keyOf(clientId, sourceId))).record,
    list: (clientId, sourceIds) => listIn(place, clientId, sourceIds),
    remove: async (clientId, sourceId) => {
      const key = keyOf(clientId, sourceId)
      const { isThere, revision } = await find(key)
      // Only the version that was read is deleted: a vehicle that is uploaded meanwhile stays.
      if (isThere) await bucket.delete(key, { previousSeq: revision })
      return isThere
    },
    change: ({ client_id: clientId, source_id: sourceId, order }, change) =>
      replaceIn(place, keyOf(clientId, sourceId), (stored) =>
        stored && compareOrder(stored.order, order) === 0 ? JSON.stringify(change(stored)) : undefined,
      ),
    storeOver,
    store: (record) => storeOver(record, () => JSON.stringify(record)),
  }
}

/** One after the other: this serves a person, and runs beside the writers. */
async function listIn(place: Place, clientId: string, sourceIds?: readonly string[]): ReturnType<Vehicles['list']> {
  const records: VehicleRecord[] = []
  const unreadable: string[] = []
  const keys = sourceIds?.map((id) => keyOf(clientId, id)) ?? (await place.bucket.keys(`${keyOf(clientId)}.*`))
  for await (const key of keys) {
    const { record, isThere } = await findIn(place, key)
    if (record) records.push(record)
    else if (isThere) unreadable.push(partsOf(key).at(-1)!)
  }
  return { records: records.sort((one, other) => (one.source_id < other.source_id ? -1 : 1)), unreadable }
}

/** Writes the text that `next` makes of the stored vehicle, and begins again when somebody else has written; false when it makes nothing. */
async function replaceIn(
  place: Place,
  key: string,
  next: (stored: VehicleRecord | undefined) => string | undefined,
): Promise<boolean> {
  for (;;) {
    const { text, revision } = await following(place, key, next)
    if (text === undefined) return false
    try {
      await place.bucket.put(key, text, { previousSeq: revision })
      return true
    } catch (error) {
      // Each conflict means that another writer succeeded, so this ends.
      if (!isConflict(error)) throw error
    }
  }
}

/** Apart, so that nothing holds the stored vehicle while its follower is written: as objects it can take twenty times its text. */
async function following(place: Place, key: string, next: (stored: VehicleRecord | undefined) => string | undefined) {
  const { record, revision } = await findIn(place, key)
  return { text: next(record), revision }
}
