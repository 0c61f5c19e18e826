import type { JetStreamManager } from '@nats-io/jetstream'
import { createAdmitted, type Admitted, type Needs } from './admitted.ts'
import { createEntrySizes } from './entry-sizes.ts'
import { BATCHES, BUCKETS, clientToken } from './storage.ts'

/** One upload, and whether an idempotency key is stored for it. */
export interface Uploader {
  clientId: string
  clientUid: string
  hasKey: boolean
  items: number
  needs: Needs & { usualJob: number }
  /** Resolves once the batch is in the queue, with false where the batch never will be. */
  stored: Promise<boolean>
}

/** Whether there is room for one more batch; checked before anything of the batch is written. */
export interface Room {
  /** Why there is no room for an upload of this client; undefined when there is, and the upload then counts as admitted. */
  refusal(uploader: Uploader): Promise<string | undefined>
}

/** Share of a store's bytes beyond which uploads are refused: accepted batches need the rest. */
const FULL = 0.95
/** A job grows when it is completed, because its errors and pictures are written then. */
const JOBS_FULL = 0.9
const JOBS = `KV_${BUCKETS.jobs}`
const VEHICLES = `KV_${BUCKETS.vehicles}`
const KEYS = `KV_${BUCKETS.idempotency}`
/**
 * No client may have more of a store than is left for all others, so a store that is half empty needs no check of
 * clients.
 */
const CROWDED = 0.5
/** Milliseconds for which a reading is used, and for which it is enough to refuse an upload. */
const SEEN_MS = 1_000
const REFUSES_MS = 100

interface Fill {
  used: number
  most: number
  messages: number
}

/** The stores at one moment, `at`, by the name of their streams. */
interface Reading {
  at: number
  fills: ReadonlyMap<string, Fill>
}

/** Reads the stores of inventory at most once a second while there is room; `now` is in milliseconds. */
export function roomIn(manager: JetStreamManager, now: () => number): Room {
  const look = lookSeldom(now)
  const stores = {
    read: () => look.at('stores', () => readStores(manager, now())),
    countOf: ({ name, filter }: Store) => look.at(`${name} ${filter}`, () => countOf(manager, name, filter)),
  }
  const admissions = new Admissions(stores, now)
  return {
    refusal: async (upload) => {
      if ((await admissions.refusal(upload)) === undefined) return undefined
      // There may be room again since the reading.
      look.forgetOlder(REFUSES_MS)
      return admissions.refusal(upload)
    },
  }
}

/** The stores as they were read last. */
interface Stores {
  read(): Promise<Reading>
  /** The entries of the uploader. */
  countOf(store: Store): Promise<number>
}

class Admissions {
  readonly #stores: Stores
  readonly #admitted: Admitted
  readonly #sizes = createEntrySizes()

  constructor(stores: Stores, now: () => number) {
    this.#stores = stores
    this.#admitted = createAdmitted(now)
  }

  async refusal(upload: Uploader, counts: ReadonlyMap<string, number> = new Map()): Promise<string | undefined> {
    const reading = await this.#stores.read()
    this.#admitted.settle({ at: reading.at, messages: reading.fills.get(BATCHES)!.messages })
    // Nothing waits from here on, so that uploads of one moment count each other.
    for (const store of storesOf(upload)) {
      const { used, most, messages } = reading.fills.get(store.name)!
      if (used + owedTo(store, reading, this.#admitted) > most * store.full)
        return `There is no room for more ${store.what}; try again.`
      if (used <= most * CROWDED) continue
      const entries = counts.get(store.name)
      if (entries === undefined) {
        const found = await this.#stores.countOf(store)
        return this.refusal(upload, new Map([...counts, [store.name, found]]))
      }
      const own = this.#sizes.bytesOf(upload.clientId, store.name, { entries, average: used / Math.max(1, messages) })
      if (own > most - used) return `This client has its share of ${store.what}; try again.`
    }
    return this.#admit(upload)
  }

  #admit({ clientId, items, needs, stored }: Uploader): undefined {
    this.#admitted.add(needs, stored)
    void stored.then((isStored) => {
      if (!isStored) return
      this.#sizes.add(clientId, BATCHES, { entries: 1, bytes: needs.batch })
      this.#sizes.add(clientId, JOBS, { entries: 1, bytes: needs.usualJob })
      this.#sizes.add(clientId, VEHICLES, { entries: items, bytes: needs.batch })
    })
  }
}

/**
 * Bytes that the upload, and all that was admitted and waits, add to a store; none of them may find the store full. A batch becomes about as many
 * bytes of vehicles as it has. Of batches that other processes admitted, the jobs count as the average job.
 */
function owedTo({ name, adds }: Store, { fills }: Reading, admitted: Admitted): number {
  const queue = fills.get(BATCHES)!
  const since = admitted.since()
  if (name === VEHICLES) return queue.used + since.batch + adds
  if (name === JOBS) {
    const { used, messages } = fills.get(JOBS)!
    const { count, job } = admitted.waiting()
    return job + (queue.messages - count) * (used / Math.max(1, messages)) + since.job + adds
  }
  return name === BATCHES ? since.batch : 0
}

interface Store {
  what: string
  /** Name of its stream. */
  name: string
  /** The subjects of the uploader. */
  filter: string
  full: number
  /** Bytes that the upload adds, as far as they have to be free. */
  adds: number
}

function storesOf({ clientId, clientUid, hasKey, needs }: Uploader): Store[] {
  const of = (name: keyof typeof BUCKETS, id: string) => ({
    name: `KV_${BUCKETS[name]}`,
    filter: `$KV.${BUCKETS[name]}.${clientToken(id)}.*`,
  })
  const keys = { what: 'keys', ...of('idempotency', clientUid), full: FULL, adds: 0 }
  return [
    { what: 'batches that wait', name: BATCHES, filter: `batches.${clientToken(clientId)}.*`, full: FULL, adds: 0 },
    { what: 'jobs', ...of('jobs', clientId), full: JOBS_FULL, adds: needs.job },
    { what: 'vehicles', ...of('vehicles', clientId), full: FULL, adds: needs.batch },
    ...(hasKey ? [keys] : []),
  ]
}

/** Remembers readings for a while, so that many uploads need one reading. */
function lookSeldom(now: () => number) {
  const readings = new Map<string, { at: number; value: Promise<unknown> }>()
  return {
    at: <T>(key: string, look: () => Promise<T>): Promise<T> => {
      for (const [old, { at }] of readings) if (now() - at >= SEEN_MS) readings.delete(old)
      const known = readings.get(key)
      if (known) return known.value as Promise<T>
      const value = look()
      readings.set(key, { at: now(), value })
      value.catch(() => readings.delete(key))
      return value
    },
    forgetOlder: (ms: number) => {
      for (const [key, { at }] of readings) if (now() - at >= ms) readings.delete(key)
    },
  }
}

/** The queue first: what leaves it between the readings is in the others by then. */
async function readStores(manager: JetStreamManager, at: number): Promise<Reading> {
  const read = async (name: string) => [name, await readFill(manager, name)] as const
  const queue = await read(BATCHES)
  return { at, fills: new Map([queue, ...(await Promise.all([JOBS, VEHICLES, KEYS].map(read)))]) }
}

async function readFill(manager: JetStreamManager, name: string): Promise<Fill> {
  const { state, config } = await manager.streams.info(name)
  return { used: state.bytes, most: config.max_bytes, messages: state.messages }
}

async function countOf(manager: JetStreamManager, name: string, filter: string): Promise<number> {
  const { state } = await manager.streams.info(name, { subjects_filter: filter })
  return Object.keys(state.subjects ?? {}).length
}
