import type { Msg } from '@nats-io/transport-node'
import { STORED_BYTES, type Counted } from '#inventory/client-bytes.ts'
import { BUCKETS } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { Work } from '../work.ts'
import { createClientCounts } from './client-counts.ts'

/** Workers share the questions. */
const GROUP = 'workers'
/** Milliseconds between two looks whether the store was opened on another connection. */
const LOOK_MS = 500
/** Milliseconds after which a worker that may not answer tries again: its login may have the right by then. */
const FORBIDDEN_MS = 30_000

export interface AnsweringServices {
  store: () => InventoryStore | undefined
  log: Logger
  forbiddenMs?: number
}

/** Answers the API's questions how many bytes of jobs or vehicles a client has, until it is stopped. */
export function answerStoredBytes({ store, log, forbiddenMs = FORBIDDEN_MS }: AnsweringServices): Work {
  const counts = createClientCounts(() => performance.now())
  const count = async (message: Msg, { manager }: InventoryStore) => {
    try {
      const [, bucket = '', token = ''] = message.subject.split('.')
      if (!isCounted(bucket)) throw new Error(`The bucket ${bucket} is not counted.`)
      return await counts.of(manager, { bucket, token }, message.json<string[]>())
    } catch (error) {
      log.warn({ err: error }, 'cannot count what a client has stored')
      return null
    }
  }
  const answer = async (message: Msg, opened: InventoryStore) => {
    const counted = await count(message, opened)
    if (!opened.connection.isClosed()) message.respond(JSON.stringify(counted))
  }
  const following = new Following(store, (opened, lost) =>
    opened.connection.subscribe(`${STORED_BYTES}.*.*`, {
      queue: GROUP,
      callback: (error, message) => {
        if (!error) return void answer(message, opened)
        log.warn({ err: error }, 'may not answer how many bytes a client has stored')
        lost(forbiddenMs)
      },
    }),
  )
  const looking = setInterval(() => following.look(), LOOK_MS)
  return {
    stop: async () => {
      clearInterval(looking)
      following.stop()
    },
  }
}

const isCounted = (bucket: string): bucket is Counted => bucket === BUCKETS.jobs || bucket === BUCKETS.vehicles

type Subscribe = (opened: InventoryStore, lost: (afterMs: number) => void) => { unsubscribe(): void }

/** Subscribes on each connection with which the store is opened, and again where that was refused. */
class Following {
  readonly #store: () => InventoryStore | undefined
  readonly #subscribe: Subscribe
  #followed: InventoryStore | undefined
  #subscription: { unsubscribe(): void } | undefined
  #againAt = 0

  constructor(store: () => InventoryStore | undefined, subscribe: Subscribe) {
    this.#store = store
    this.#subscribe = subscribe
    this.look()
  }

  look(): void {
    const opened = this.#store()
    if (!opened || opened === this.#followed || opened.connection.isClosed() || performance.now() < this.#againAt)
      return
    this.stop()
    this.#followed = opened
    this.#subscription = this.#subscribe(opened, (afterMs) => {
      this.#againAt = performance.now() + afterMs
      this.#followed = undefined
    })
  }

  stop(): void {
    this.#subscription?.unsubscribe()
  }
}
