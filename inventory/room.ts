import type { JetStreamManager } from '@nats-io/jetstream'
import { BATCHES, BUCKETS, clientToken } from './storage.ts'

/** The client that uploads, and whether an idempotency key is stored for the upload. */
export interface Uploader {
  clientId: string
  clientUid: string
  hasKey: boolean
}

/** Whether there is room for one more batch; checked before anything of the batch is written. */
export interface Room {
  /** Why there is no room, as a message for the uploader; undefined when there is room. */
  refusal(uploader: Uploader): Promise<string | undefined>
}

/** Share of a store's bytes beyond which uploads are refused: accepted batches need the rest. */
const FULL = 0.95
/** A job grows when it is completed, because its errors and pictures are written then. */
const JOBS_FULL = 0.9
/**
 * No client may have more of a store than is left for all others, so a store that is half empty needs no check of
 * clients.
 */
const CROWDED = 0.5
/** Milliseconds for which a reading is used. */
const SEEN_MS = 1_000

interface Fill {
  used: number
  most: number
  messages: number
}

/** Reads the stores of inventory, each at most once a second; `now` is in milliseconds. */
export function roomIn(manager: JetStreamManager, now: () => number): Room {
  const look = lookSeldom(now)
  const fillOf = (name: string) => look.at(name, () => readFill(manager, name))
  const isCrowdedBy = async ({ name, filter }: Store): Promise<boolean> => {
    const { used, most, messages } = await fillOf(name)
    if (used <= most * CROWDED) return false
    const count = await look.at(`${name} ${filter}`, () => countOf(manager, name, filter))
    return count * (used / Math.max(1, messages)) > most - used
  }
  /** Bytes that the waiting batches will add if they resemble the completed ones; none may find the store full. */
  const owedTo = async ({ name, growsWith }: Store): Promise<number> => {
    if (growsWith === undefined) return 0
    const { used, messages } = await fillOf(name)
    return (await fillOf(growsWith)).messages * (used / Math.max(1, messages))
  }
  return {
    refusal: async (uploader) => {
      for (const store of storesOf(uploader)) {
        const { used, most } = await fillOf(store.name)
        if (used + (await owedTo(store)) > most * store.full) {
          // Read again for the next upload, which may be accepted as soon as there is room.
          look.forget(store.name)
          look.forget(BATCHES)
          return `There is no room for more ${store.what}; try again.`
        }
        if (await isCrowdedBy(store)) return `This client has its share of ${store.what}; try again.`
      }
      return undefined
    },
  }
}

interface Store {
  what: string
  /** Name of its stream. */
  name: string
  /** The subjects of the uploader. */
  filter: string
  /** The stream whose messages each add a message to this store or enlarge one. */
  growsWith?: string
  full: number
}

function storesOf({ clientId, clientUid, hasKey }: Uploader): Store[] {
  const of = (name: keyof typeof BUCKETS, id: string) => ({
    name: `KV_${BUCKETS[name]}`,
    filter: `$KV.${BUCKETS[name]}.${clientToken(id)}.*`,
  })
  const keys = { what: 'keys', ...of('idempotency', clientUid), full: FULL }
  return [
    { what: 'batches that wait', name: BATCHES, filter: `batches.${clientToken(clientId)}.*`, full: FULL },
    { what: 'jobs', ...of('jobs', clientId), growsWith: BATCHES, full: JOBS_FULL },
    { what: 'vehicles', ...of('vehicles', clientId), full: FULL },
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
    forget: (key: string) => void readings.delete(key),
  }
}

async function readFill(manager: JetStreamManager, name: string): Promise<Fill> {
  const { state, config } = await manager.streams.info(name)
  return { used: state.bytes, most: config.max_bytes, messages: state.messages }
}

async function countOf(manager: JetStreamManager, name: string, filter: string): Promise<number> {
  const { state } = await manager.streams.info(name, { subjects_filter: filter })
  return Object.keys(state.subjects ?? {}).length
}
