import type { ClientQueues, DeliveredBatch } from '#inventory/client-queues.ts'
import { ACK_WAIT_MS } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { Tracing } from '#runtime/tracing/trace.ts'
import type { Moderation } from '../moderation/types.ts'
import { endMessage, type MessageOutcome } from '../outcome.ts'
import type { Work } from '../work.ts'
import { attemptBatch } from './attempt-batch.ts'
import { ClientTurns, type Place, type TurnLimits } from './client-turns.ts'
import { followQueues } from './follow-queues.ts'
import { batchTurns, type BatchTurns } from './moderate-images.ts'
import type { DeliveryMetrics } from './metrics.ts'

export interface ReceivingServices {
  store: () => InventoryStore | undefined
  repair: () => Promise<void>
  moderation: Moderation
  log: Logger
  metrics: DeliveryMetrics
  limits: TurnLimits
  /** Pictures of one client that are fetched at once. */
  picturesOfOneClient: number
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
}

/** Milliseconds between two signs of life for a batch in progress. */
const SIGN_OF_LIFE_MS = ACK_WAIT_MS / 3
/** Milliseconds between two checks for a client to ask again. */
const LOOK_EVERY_MS = 50

/** Receives batches and processes them, the clients in turn, until it is stopped. */
export function receiveBatches(services: ReceivingServices): Work {
  const crew = new Crew(services)
  const { store, repair, log } = services
  const following = followQueues({
    store,
    repair,
    log,
    signal: crew.leaving.signal,
    told: (token) => crew.told(token),
    listed: (counts) => crew.listed(counts),
  })
  const timers = [setInterval(() => crew.showLife(), SIGN_OF_LIFE_MS), setInterval(() => crew.proceed(), LOOK_EVERY_MS)]
  return {
    stop: async (graceMs) => {
      crew.leaving.abort()
      await following
      const late = setTimeout(() => crew.stopping.abort(new Error('the worker is stopping')), graceMs)
      await crew.idle()
      clearTimeout(late)
      for (const timer of timers) clearInterval(timer)
    },
  }
}

class Crew {
  /** Aborts when no new batch is to be taken. */
  readonly leaving = new AbortController()
  /** Aborts when batches in progress are to be abandoned. */
  readonly stopping = new AbortController()
  readonly #services: ReceivingServices
  readonly #turns: ClientTurns
  readonly #batchTurns: BatchTurns
  /** Every batch of this worker, by its sequence in the stream. */
  readonly #inHand = new Map<number, DeliveredBatch>()
  readonly #running = new Set<Promise<void>>()

  constructor(services: ReceivingServices) {
    this.#services = services
    this.#turns = new ClientTurns(services.limits)
    this.#batchTurns = batchTurns(services.picturesOfOneClient)
  }

  told(token: string): void {
    this.#turns.tell(token)
    this.proceed()
  }

  listed(counts: ReadonlyMap<string, number>): void {
    this.#turns.learn(counts)
    this.proceed()
  }

  proceed(): void {
    const queues = this.#services.store()?.clientQueues
    if (this.leaving.signal.aborted || !queues) return
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      const work = this.#serve(token, queues)
      this.#running.add(work)
      void work.finally(() => this.#running.delete(work))
    }
  }

  showLife(): void {
    for (const batch of this.#inHand.values()) this.#tell(() => batch.working())
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #next = () => this.#turns.next(performance.now())

  /** Processes the next batch of a client to its end. */
  async #serve(token: string, queues: ClientQueues): Promise<void> {
    const delivered = await queues.next(token).catch((error: unknown) => {
      this.#services.log.debug({ err: error }, 'could not receive a batch; trying again')
      return undefined
    })
    if (delivered) await this.#receive(token, delivered)
    else if (this.#turns.nothing(token, performance.now())) await this.#doubt(token, queues)
    this.proceed()
  }

  async #doubt(token: string, queues: ClientQueues): Promise<void> {
    const mended = await queues.mend(token).catch((error: unknown): string[] => {
      this.#services.log.warn({ err: error }, 'could not compare the consumer of a client with its declaration')
      return []
    })
    if (mended.length > 0) {
      this.#services.log.warn({ mended }, 'the consumer of a client differed from its declaration, and was changed')
    }
    const left = await queues.left(token).catch(() => 1)
    if (left === 0) this.#turns.forget(token)
  }

  async #receive(token: string, delivered: DeliveredBatch): Promise<void> {
    const { metrics } = this.#services
    const place = this.#turns.delivered(token, delivered.waiting)
    const isHere = this.#inHand.has(delivered.place)
    // Delivered again while in progress, because a sign of life came too late: the next sign of life covers this
    // delivery too.
    this.#inHand.set(delivered.place, delivered)
    metrics.delivered(delivered.isAgain)
    const outcome = isHere ? undefined : await this.#workOn(delivered, place)
    metrics.holding(this.#inHand.size)
    place.end()
    if (outcome?.end === 'nak') this.#turns.putAside(token, performance.now() + outcome.afterMs)
  }

  async #workOn(delivered: DeliveredBatch, place: Place): Promise<MessageOutcome> {
    const { metrics } = this.#services
    metrics.holding(this.#inHand.size)
    const start = performance.now()
    // While the batch waits for pictures, another batch may have its place.
    const leave = (bytes: number) => place.leave(bytes) && (queueMicrotask(() => this.proceed()), true)
    const outcome = await this.#outcomeOf(delivered, { leave, comeBack: () => place.comeBack() })
    this.#end(delivered, outcome)
    metrics.ended(outcome.end, (performance.now() - start) / 1000)
    return outcome
  }

  async #outcomeOf({ batch }: DeliveredBatch, place: Pick<Place, 'leave' | 'comeBack'>): Promise<MessageOutcome> {
    const store = this.#services.store()
    if (this.leaving.signal.aborted) return { end: 'nak', why: 'the worker is stopping', afterMs: 0 }
    if (!store) return { end: 'nak', why: 'the store is not reachable', afterMs: 1_000 }
    return attemptBatch(batch, {
      ...this.#services,
      store,
      place,
      turns: this.#batchTurns,
      signal: this.stopping.signal,
    })
  }

  #end(delivered: DeliveredBatch, outcome: MessageOutcome): void {
    // The server waits for the newest delivery of the batch.
    const newest = this.#inHand.get(delivered.place) ?? delivered
    this.#inHand.delete(delivered.place)
    this.#tell(() => endMessage(newest, outcome))
  }

  #tell(say: () => void): void {
    try {
      say()
    } catch (error) {
      // Its connection is closed: without further signs of life, the server gives the batch to another worker.
      this.#services.log.debug({ err: error }, 'could not acknowledge a message')
    }
  }
}
