import type { JetStreamManager } from '@nats-io/jetstream'
import type { Listed } from './admitted.ts'
import type { AskBytes, Counted } from './client-bytes.ts'
import type { Replaced } from './replacing.ts'
import { BATCHES, BUCKETS, clientToken, vehicleSubject } from './storage.ts'

export const JOBS = `KV_${BUCKETS.jobs}`
export const VEHICLES = `KV_${BUCKETS.vehicles}`
export const KEYS = `KV_${BUCKETS.idempotency}`

/** Buckets of which workers count what a client has, by the name of the store. */
const COUNTED: ReadonlyMap<string, Counted> = new Map([
  [JOBS, BUCKETS.jobs],
  [VEHICLES, BUCKETS.vehicles],
])

/** Milliseconds for which a reading is used, and for which it is enough to refuse an upload. */
const SEEN_MS = 1_000
const REFUSES_MS = 100

export interface Fill {
  used: number
  most: number
  messages: number
}

/** The stores at one moment, `at`, by the name of their streams. */
export interface Reading {
  at: number
  fills: ReadonlyMap<string, Fill>
}

/** What one client has and what of it waits. */
export interface Counts {
  /** When the reading began before which nothing of this was counted. */
  at: number
  waiting: Listed
  /** By the name of the store. */
  stored: ReadonlyMap<string, Stored>
}

/** What a client has in a store; its bytes where a worker counted them. */
export interface Stored {
  entries: number
  bytes?: number
  /** Its bytes as a worker counted them last, where nobody has counted them now. */
  former?: number
}

/** The stores as they were read last, at most once a second. */
export interface Readings {
  read(): Promise<Reading>
  /** The batches that wait: with the token of a client in subjects, or with `*` of all. */
  waitingOf(token: string): Promise<Listed>
  /**
   * The batches of a client that wait, and then its entries: what is done in between is in both. Not from before the reading: a batch
   * that this shows as done would be in neither.
   */
  countsOf(token: string, filters: ReadonlyMap<string, string>, reading: Reading): Promise<Counts>
  /** What the vehicles of an upload would replace. */
  replacedBy(upload: Vehicles): Promise<Replaced>
  /** Reads the stores anew where there may be room again. */
  expectRoom(): void
}

/** The names of an upload's vehicles. */
export interface Vehicles {
  clientId: string
  sourceIds: readonly string[]
}

/** `now` is in milliseconds. */
export function readingsOf(manager: JetStreamManager, ask: AskBytes, now: () => number): Readings {
  const look = lookSeldom(now)
  const list = async (token: string) => listSubjects(manager, VEHICLES, `$KV.${BUCKETS.vehicles}.${token}.*`)
  const listVehicles = (token: string) => look.at(`vehicles ${token}`, async () => new Set(await list(token)))
  return {
    read: () => look.at('stores', () => readStores(manager, now())),
    waitingOf: (token) => look.at(token, () => listWaiting(manager, { token, at: now() })),
    countsOf: (token, filters, { at }) =>
      look.at([at, token, ...filters.keys()].join(' '), async () => {
        const waiting = await listWaiting(manager, { token, at: now() })
        const count = async ([name, filter]: [string, string]): Promise<[string, Stored]> => {
          if (name === BATCHES) return [name, { entries: waiting.jobs.size }]
          const bucket = COUNTED.get(name)
          const counted = bucket && (await ask(bucket, token, []))
          if (counted?.each) return [name, counted]
          const entries = (await listSubjects(manager, name, filter)).length
          return [name, { entries, ...(counted && entries > 0 && { former: counted.bytes }) }]
        }
        return { at, waiting, stored: new Map(await Promise.all([...filters].map(count))) }
      }),
    replacedBy: async ({ clientId, sourceIds }) => {
      const ids = [...new Set(sourceIds)]
      const counted = await ask(BUCKETS.vehicles, clientToken(clientId), ids.map(clientToken))
      if (counted?.each) return replacedOf(ids, counted.each)
      const stored = await listVehicles(clientToken(clientId))
      const fresh = ids.filter((id) => !stored.has(vehicleSubject(clientId, id)))
      return { count: ids.length, fresh, bytes: undefined }
    },
    expectRoom: () => look.forgetOlder('stores', REFUSES_MS),
  }
}

const replacedOf = (ids: readonly string[], each: readonly number[]): Replaced => ({
  count: ids.length,
  fresh: ids.filter((_, at) => each[at] === 0),
  bytes: each.reduce((sum, bytes) => sum + bytes, 0),
})

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
    forgetOlder: (key: string, ms: number) => {
      if (now() - (readings.get(key)?.at ?? Infinity) >= ms) readings.delete(key)
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

async function listWaiting(manager: JetStreamManager, { token, at }: { token: string; at: number }): Promise<Listed> {
  const subjects = await listSubjects(manager, BATCHES, `batches.${token}.*`)
  return { at, jobs: new Map(subjects.map((subject) => subject.split('.').slice(1).reverse() as [string, string])) }
}

async function listSubjects(manager: JetStreamManager, name: string, filter: string): Promise<string[]> {
  const { state } = await manager.streams.info(name, { subjects_filter: filter })
  return Object.keys(state.subjects ?? {})
}
