import type { JsMsg } from '@nats-io/jetstream'
import { readOrigin } from '#inventory/batch-queue.ts'
import { ACK_WAIT_MS, BATCHES, WORKER } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import { sizeOf } from '#runtime/nats/kept-messages.ts'
import { receive } from '#runtime/nats/receive.ts'
import type { Tracing } from '#runtime/tracing/trace.ts'
import { createLine, type Line, type LineLimits, type Waiting } from '../line.ts'
import type { Moderation } from '../moderation/types.ts'
import { settle, type Outcome } from '../outcome.ts'
import type { Work } from '../work.ts'
import { attemptBatch } from './attempt-batch.ts'
import type { DeliveryMetrics } from './metrics.ts'

export interface ReceivingServices {
  store: () => InventoryStore | undefined
  repair: () => Promise<void>
  moderation: Moderation
  log: Logger
  metrics: DeliveryMetrics
  limits: LineLimits
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
}

/** Milliseconds between two signs of life for a message that is held. */
const SIGN_OF_LIFE_MS = ACK_WAIT_MS / 3
const PARKING_EVERY_MS = 1_000
const FIRST_PARKING_MS = 5_000
const LONGEST_PARKING_MS = 60_000

/** Receives batches and works on them, fairly between clients, until it is stopped. */
export function receiveBatches(services: ReceivingServices): Work {
  const crew = new Crew(services)
  const { store, repair, log } = services
  const receiving = receive(
    {
      room: () => crew.line.room(),
      take: (message) => crew.take(toEntry(message)),
      makeRoom: () => crew.makeRoom(),
    },
    {
      source: { connection: () => store()?.connection, stream: BATCHES, consumer: WORKER, repair },
      log,
      signal: crew.leaving.signal,
    },
  )
  const alive = setInterval(() => crew.showLife(), SIGN_OF_LIFE_MS)
  return {
    stop: async (graceMs) => {
      crew.leaving.abort()
      await receiving
      crew.giveBackWaiting()
      const late = setTimeout(() => crew.stopping.abort(new Error('the worker stops')), graceMs)
      await crew.idle()
      clearTimeout(late)
      clearInterval(alive)
    },
  }
}

function toEntry(message: JsMsg): Waiting<JsMsg> {
  return { clientId: readOrigin(message.headers).clientId, bytes: sizeOf(message), value: message }
}

class Crew {
  readonly line: Line<JsMsg>
  /** Aborts when nothing new is to be taken. */
  readonly leaving = new AbortController()
  /** Aborts when what runs is to be given up. */
  readonly stopping = new AbortController()
  readonly #services: ReceivingServices
  /** Every message here, waiting or worked on, by its sequence. */
  readonly #held = new Map<number, JsMsg>()
  readonly #running = new Set<Promise<void>>()
  #parkedAt = 0

  constructor(services: ReceivingServices) {
    this.#services = services
    this.line = createLine(services.limits)
  }

  take(entry: Waiting<JsMsg>): void {
    const { value: message } = entry
    this.#services.metrics.delivered(message.redelivered)
    // Delivered again while it is here: a sign of life came too late, and the next one is for this delivery too.
    if (this.#held.has(message.seq)) return void this.#held.set(message.seq, message)
    this.#held.set(message.seq, message)
    this.line.add(entry)
    this.proceed()
  }

  proceed(): void {
    if (this.leaving.signal.aborted) return
    for (let entry = this.line.next(); entry; entry = this.line.next()) {
      const work = this.#workOn(entry)
      this.#running.add(work)
      void work.finally(() => this.#running.delete(work))
    }
  }

  /** While every place that may be taken is, what is too much of one client is put back for a while. */
  makeRoom(): void {
    const now = performance.now()
    if (now - this.#parkedAt < PARKING_EVERY_MS) return
    const surplus = this.line.takeSurplus()
    if (surplus.length === 0) return
    this.#parkedAt = now
    this.#services.metrics.parked(surplus.length)
    for (const { value: message } of surplus) {
      const afterMs = Math.min(LONGEST_PARKING_MS, FIRST_PARKING_MS * 2 ** (message.info.deliveryCount - 1))
      this.#end(message, { end: 'nak', why: 'others wait', afterMs })
    }
  }

  showLife(): void {
    for (const message of this.#held.values()) this.#tell(() => message.working())
  }

  giveBackWaiting(): void {
    for (const { value: message } of this.line.clear()) {
      this.#end(message, { end: 'nak', why: 'the worker stops', afterMs: 0 })
    }
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #workOn(entry: Waiting<JsMsg>): Promise<void> {
    const { metrics } = this.#services
    const start = performance.now()
    const outcome = await this.#outcomeOf(entry.value)
    this.#end(entry.value, outcome)
    metrics.ended(outcome.end, (performance.now() - start) / 1000)
    this.line.done(entry)
    this.proceed()
  }

  async #outcomeOf(message: JsMsg): Promise<Outcome> {
    const store = this.#services.store()
    if (!store) return { end: 'nak', why: 'the store is away', afterMs: 1_000 }
    return attemptBatch(message.seq, { ...this.#services, store, signal: this.stopping.signal })
  }

  #end(message: JsMsg, outcome: Outcome): void {
    // The newest delivery of it is the one that the server waits for.
    const newest = this.#held.get(message.seq) ?? message
    this.#held.delete(message.seq)
    this.#tell(() => settle(newest, outcome))
  }

  #tell(say: () => void): void {
    try {
      say()
    } catch (error) {
      // Its connection is closed: the server gives the batch to somebody when it hears nothing more of it.
      this.#services.log.debug({ err: error }, 'the server could not be told')
    }
  }
}
