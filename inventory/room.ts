import type { JetStreamManager } from '@nats-io/jetstream'
import { keyOf } from '#runtime/nats/key.ts'
import { BATCHES, BUCKETS } from './storage.ts'

/** Who uploads, and whether an idempotency key is to be kept for it. */
export interface Uploader {
  clientId: string
  clientUid: string
  hasKey: boolean
}

/** Whether there is room for one more batch, asked before anything of it is written. */
export interface Room {
  /** Why there is none, for the uploader to read; undefined when there is. */
  refusal(uploader: Uploader): Promise<string | undefined>
}

/** Of its bytes, how much of a store may be taken before uploads are refused: what was accepted needs the rest. */
const FULL = 0.95
/** A job grows when it is completed: its errors and pictures are written then. */
const JOBS_FULL = 0.9
/** A client never has more of a store than is left for all others, so a store of which half is free needs no look at clients. */
const CROWDED = 0.5
/** Milliseconds for which what was seen counts. */
const SEEN_MS = 1_000

interface Fill {
  used: number
  most: number
  messages: number
}

/** Looks at the stores of inventory, each at most once a second; `now` is in milliseconds. */
export function roomIn(manager: JetStreamManager, now: () => number): Room {
  const look = lookSeldom(now)
  const fillOf = (name: string) => look.at(name, () => readFill(manager, name))
  const isCrowdedBy = async ({ name, filter }: Store): Promise<boolean> => {
    const { used, most, messages } = await fillOf(name)
    if (filter === undefined || used <= most * CROWDED) return false
    const count = await look.at(`${name} ${filter}`, () => countOf(manager, name, filter))
    return count * (used / Math.max(1, messages)) > most - used
  }
  /** Bytes that the batches which wait will add, if they are as those that were completed: none may find the store full. */
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
          // Looked at anew for the next upload, which may be served as soon as there is room.
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
  /** Of its stream. */
  name: string
  /** The subjects of the uploader; undefined where they do not name a client. */
  filter?: string
  /** The stream each of whose messages becomes one of this store, or makes one of it larger. */
  growsWith?: string
  full: number
}

function storesOf({ clientId, clientUid, hasKey }: Uploader): Store[] {
  const of = (name: keyof typeof BUCKETS, id: string) => ({
    name: `KV_${BUCKETS[name]}`,
    filter: `$KV.${BUCKETS[name]}.${keyOf(id)}.*`,
  })
  const keys = { what: 'keys', ...of('idempotency', clientUid), full: FULL }
  return [
    { what: 'batches that wait', name: BATCHES, filter: `batches.${keyOf(clientId)}.*`, full: FULL },
    { what: 'jobs', name: `KV_${BUCKETS.jobs}`, growsWith: BATCHES, full: JOBS_FULL },
    { what: 'vehicles', ...of('vehicles', clientId), full: FULL },
    ...(hasKey ? [keys] : []),
  ]
}

/** Remembers what was seen for a while, so that many uploads are one look. */
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
