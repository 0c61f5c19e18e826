import type { JetStreamManager } from '@nats-io/jetstream'
import type { Needs } from './admission.ts'
import type { Listed } from './admitted.ts'
import type { AskBytes } from './client-bytes.ts'
import { Owed } from './owed.ts'
import { refusalToReplace, type Replaced } from './replacing.ts'
import { JOBS, readingsOf, VEHICLES, type Counts, type Reading, type Readings } from './room-readings.ts'
import { BATCHES, BUCKETS, clientToken } from './storage.ts'

/** One upload, and whether an idempotency key is stored for it. */
export interface Uploader {
  clientId: string
  clientUid: string
  hasKey: boolean
  needs: Needs
  /** `vehicle.source_id` of each item. */
  sourceIds: readonly string[]
  /** Resolves with the job once the batch is in the queue, with undefined where it never will be. */
  stored: Promise<string | undefined>
}

/** Whether there is room for one more batch; checked before anything of the batch is written. */
export interface Room {
  /** Why there is no room for an upload of this client; undefined when there is, and the upload then counts as admitted. */
  refusal(uploader: Uploader): Promise<string | undefined>
  /** What each store has and is owed by batches that wait, as far as this process knows, divided by the store's limit. */
  promised(): Promise<ReadonlyMap<string, number>>
}

/** Share of a store's bytes beyond which uploads are refused: accepted batches need the rest. */
const FULL = 0.95
/** A job has more errors than were counted on, where there is room for them. */
const JOBS_FULL = 0.9

/** Reads the stores of inventory at most once a second while there is room; `now` is in milliseconds. */
export function roomIn(manager: JetStreamManager, ask: AskBytes, now: () => number): Room {
  const readings = readingsOf(manager, ask, now)
  const admissions = new Admissions(readings, new Owed(now))
  return {
    refusal: async (upload) => {
      if ((await admissions.refusal(upload)) === undefined) return undefined
      readings.expectRoom()
      return admissions.refusal(upload)
    },
    promised: () => admissions.promised(),
  }
}

/** What was counted for one upload. */
interface Counted {
  own?: Counts
  /** How often that was counted. */
  looks?: number
  /** The batches of all clients that wait. */
  all?: Listed
  replaced?: Replaced
}

/** Stores that become crowded while others are counted, and readings that are newer than a count that took long. */
const MOST_LOOKS = 4

function isToCount(crowded: readonly Store[], { own, looks = 0 }: Counted, { at }: Reading): boolean {
  if (crowded.some(({ name }) => !own?.stored.has(name))) return true
  return own !== undefined && crowded.length > 0 && own.at < at && looks < MOST_LOOKS
}

class Admissions {
  readonly #readings: Readings
  readonly #owed: Owed

  constructor(readings: Readings, owed: Owed) {
    this.#readings = readings
    this.#owed = owed
  }

  /**
   * No client has more of a store than it leaves for all others, of what it has and owes. Each client's last upload left as much as the client
   * had before it, so `n` clients leave at least F / 2ⁿ - a of a store of which F may be used, whatever they send in uploads of at most a;
   * one that has nothing gets in with any upload for which this is enough.
   */
  async refusal(upload: Uploader, counted: Counted = {}): Promise<string | undefined> {
    const reading = await this.#readings.read()
    this.#owed.settle(reading)
    // Nothing waits from here on but for counts, so that uploads of one moment count each other.
    if (counted.own) this.#owed.compare(upload.clientId, counted.own.waiting)
    // A client that has half of what may be used leaves as much.
    const crowded = storesOf(upload).filter((store) => this.#leftOf(store) - store.adds < this.#usableOf(store) / 2)
    if (isToCount(crowded, counted, reading)) {
      const own = await this.#count(upload, crowded, { before: counted.own, reading })
      return this.refusal(upload, { ...counted, own, looks: (counted.looks ?? 0) + 1 })
    }
    for (const store of crowded) {
      const refused = this.#refusalOf(store, upload, counted)
      if (refused === undefined) continue
      const more = await this.#countMore(store, upload, counted)
      return more ? this.refusal(upload, { ...counted, ...more }) : refused
    }
    this.#owed.add({ clientId: upload.clientId, ...upload.needs }, upload.stored)
    return undefined
  }

  /** What may say that there is room after all. */
  async #countMore({ name }: Store, upload: Uploader, { all, replaced }: Counted): Promise<Counted | undefined> {
    // Jobs that are done may still count as owed, because nobody says which batches are done, or whose the others are.
    if (name === JOBS && !all) return { all: await this.#readings.waitingOf('*') }
    if (name === VEHICLES && !replaced) return { replaced: await this.#readings.replacedBy(upload) }
    return undefined
  }

  #refusalOf(store: Store, upload: Uploader, { own: counts, all, replaced }: Counted): string | undefined {
    const left = this.#leftOf(store, all)
    if (store.adds > left) return `There is no room for more ${store.what}; try again.`
    const own = this.#owed.ofClient(upload.clientId, store.name, counts!)
    if (own + store.adds <= left) return undefined
    if (!replaced) return `This client has its share of ${store.what}; try again.`
    return refusalToReplace(replaced, { own, adds: store.adds, left, usable: this.#usableOf(store) })
  }

  async promised(): Promise<ReadonlyMap<string, number>> {
    this.#owed.settle(await this.#readings.read())
    const all = await this.#readings.waitingOf('*')
    const shareOf = (name: string) => this.#owed.totalOf(name, all) / this.#owed.fillOf(name).most
    return new Map([BATCHES, JOBS, VEHICLES].map((name) => [name, shareOf(name)]))
  }

  #usableOf({ name, full }: Store): number {
    return this.#owed.fillOf(name).most * full
  }

  #leftOf(store: Store, listed?: Listed): number {
    return this.#usableOf(store) - this.#owed.totalOf(store.name, listed)
  }

  /** Counts the uploader in these stores and those that were counted before. */
  #count(upload: Uploader, crowded: readonly Store[], { before, reading }: CountedBefore): Promise<Counts> {
    const names = new Set([...crowded.map(({ name }) => name), ...(before?.stored.keys() ?? [])])
    const stores = storesOf(upload).filter(({ name }) => names.has(name))
    return this.#readings.countsOf(
      clientToken(upload.clientId),
      new Map(stores.map(({ name, filter }) => [name, filter])),
      reading,
    )
  }
}

interface CountedBefore {
  before: Counts | undefined
  reading: Reading
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
  const of = (bucket: string, id: string) => ({ name: `KV_${bucket}`, filter: `$KV.${bucket}.${clientToken(id)}.*` })
  const queue = { name: BATCHES, filter: `batches.${clientToken(clientId)}.*` }
  const keys = { what: 'keys', ...of(BUCKETS.idempotency, clientUid), full: FULL, adds: 0 }
  return [
    { what: 'batches that wait', ...queue, full: FULL, adds: needs.batch },
    { what: 'jobs', ...of(BUCKETS.jobs, clientId), full: JOBS_FULL, adds: needs.job },
    { what: 'vehicles', ...of(BUCKETS.vehicles, clientId), full: FULL, adds: needs.vehicles },
    ...(hasKey ? [keys] : []),
  ]
}
