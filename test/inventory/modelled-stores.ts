import type { JetStreamManager } from '@nats-io/jetstream'
import type { Needs as NeedsOfBatch } from '../../inventory/admission.ts'
import { roomIn, type Room } from '../../inventory/room.ts'
import type { AskBytes } from '../../inventory/client-bytes.ts'
import { BATCHES, batchSubject, clientToken, jobKey } from '../../inventory/storage.ts'

export const MEGABYTE = 1024 * 1024
/** The shares of a store that inventory/storage.ts declares. */
const SHARES = { BATCHES: 0.25, KV_vehicles: 0.5, KV_jobs: 0.1, KV_idempotency: 0.04 }
type Name = keyof typeof SHARES

export interface Needs extends NeedsOfBatch {
  items: number
  /** Bytes of its job where nothing is wrong with the batch. */
  usualJob: number
}

/** Each vehicle takes 450 bytes beyond those of the batch. */
export const needsOf = (needs: Omit<Needs, 'vehicles'>): Needs => ({
  ...needs,
  vehicles: needs.batch + needs.items * 450,
})

interface Waiting {
  clientId: string
  jobId: string
  needs: Needs
  /** Names of its vehicles. */
  vehicles: string
}

/** The streams of inventory as numbers, a clock that the test moves, and workers that do what the test says. */
export class ModelledStores {
  now = 1_000
  requests = 0
  readonly waiting: Waiting[] = []
  readonly #stores: Map<string, { most: number; bytes: number; entries: Map<string, number> }>
  #jobs = 0

  constructor(megabytes: number) {
    const store = (share: number) => ({ most: megabytes * MEGABYTE * share, bytes: 0, entries: new Map() })
    this.#stores = new Map(Object.entries(SHARES).map(([name, share]) => [name, store(share)]))
  }

  /** A worker that answers. */
  ask: AskBytes = async (bucket, token, keys) => {
    const { entries } = this.#stores.get(`KV_${bucket}`)!
    const own = [...entries].filter(([subject]) => subject.split('.')[2] === token)
    this.requests += 1
    return {
      entries: own.length,
      bytes: own.reduce((sum, [, bytes]) => sum + bytes, 0),
      each: keys.map((key) => entries.get(`$KV.${bucket}.${token}.${key}`) ?? 0),
    }
  }

  /** Another process of the API. */
  process(): Room {
    const info = async (name: string, options?: { subjects_filter: string }) => {
      const { most, bytes, entries } = this.#stores.get(name)!
      this.requests += 1
      const pattern = options?.subjects_filter.split('.') ?? []
      const matches = (subject: string) =>
        subject.split('.').every((part, at) => pattern[at] === '*' || part === pattern[at])
      const found = options ? [...entries.keys()].filter(matches) : []
      const subjects = Object.fromEntries(found.map((subject) => [subject, 1]))
      return { config: { max_bytes: most }, state: { bytes, messages: entries.size, subjects } }
    }
    return roomIn({ streams: { info } } as unknown as JetStreamManager, this.ask, () => this.now)
  }

  /** Why the upload was refused; undefined once its batch waits. */
  async upload(room: Room, clientId: string, needs: Needs, vehicles?: string): Promise<string | undefined> {
    const { promise: stored, resolve } = Promise.withResolvers<string | undefined>()
    const jobId = `job-${(this.#jobs += 1)}`
    const sourceIds = Array.from({ length: needs.items }, (_, item) => `${vehicles ?? jobId}-${item}`)
    const refused = await room.refusal({ clientId, clientUid: clientId, hasKey: false, needs, sourceIds, stored })
    if (refused !== undefined) return refused
    this.#put(BATCHES, batchSubject(clientId, jobId), needs.batch + 300)
    this.#put('KV_jobs', `$KV.jobs.${jobKey(clientId, jobId)}`, 2_200)
    this.waiting.push({ clientId, jobId, needs, vehicles: vehicles ?? jobId })
    resolve(jobId)
    await stored
    return undefined
  }

  /** A worker ends a batch with as many bytes as it was admitted for. Throws where a store has no room. */
  complete(at: number, jobBytes: (needs: Needs) => number = ({ job }) => job): void {
    const [{ clientId, jobId, needs, vehicles }] = this.waiting.splice(at, 1) as [Waiting]
    this.#take(BATCHES, batchSubject(clientId, jobId))
    this.#put('KV_jobs', `$KV.jobs.${jobKey(clientId, jobId)}`, jobBytes(needs))
    for (let item = 0; item < needs.items; item += 1) {
      const subject = `$KV.vehicles.${clientToken(clientId)}.${clientToken(`${vehicles}-${item}`)}`
      this.#put('KV_vehicles', subject, needs.vehicles / needs.items)
    }
  }

  /** A client's vehicles expire. */
  remove(clientId: string): void {
    const own = [...this.#stores.get('KV_vehicles')!.entries.keys()]
    for (const subject of own) if (subject.split('.')[2] === clientToken(clientId)) this.#take('KV_vehicles', subject)
  }

  usedOf(name: Name): number {
    return this.#stores.get(name)!.bytes
  }

  mostOf(name: Name): number {
    return this.#stores.get(name)!.most
  }

  #put(name: Name, subject: string, bytes: number): void {
    this.#take(name, subject)
    const store = this.#stores.get(name)!
    store.entries.set(subject, bytes)
    store.bytes += bytes
    if (store.bytes > store.most) throw new Error(`${name} is full`)
  }

  #take(name: Name, subject: string): void {
    const store = this.#stores.get(name)!
    store.bytes -= store.entries.get(subject) ?? 0
    store.entries.delete(subject)
  }
}
