import type { JsMsg } from '@nats-io/jetstream'
import { readLateVehicle } from '#inventory/late-vehicle.ts'
import { ACK_WAIT_MS, ALL_LATE, clientOfLate, LATE_CONSUMER, LATE_KEPT_MS, LATE_PICTURES } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import { receive, type Intake } from '#runtime/nats/receive.ts'
import type { ImageModerator } from '../moderation/types.ts'
import { endMessage, type MessageOutcome } from '../outcome.ts'
import type { Work } from '../work.ts'
import { LatePlaces, type LateTry } from './late-places.ts'
import { tryLateVehicle } from './try-late-vehicle.ts'

export interface RetryingServices {
  store: () => InventoryStore | undefined
  /** Ensures that the storage exists as declared. */
  repair: () => Promise<void>
  images: ImageModerator
  log: Logger
  pace: RetryPace
}

/**
 * When a late picture is tried: first at this age, then each time its age has doubled, but after `longestMs` at most, until
 * it is no longer kept.
 */
export interface RetryPace {
  firstMs: number
  longestMs: number
  keptMs: number
}

/** Half a minute, because the worker does not ask a failing source for as long. */
export const RETRY_PACE: RetryPace = { firstMs: 30_000, longestMs: 3_600_000, keptMs: LATE_KEPT_MS }

/** Milliseconds between two looks, while all places are occupied, at which clients have late pictures. */
const LOOK_MS = 1_000

/** Tries late pictures again until it is stopped. */
export function retryLatePictures(services: RetryingServices): Work {
  const round = new Round(services)
  const { store, repair, log } = services
  const receiving = receive(round, {
    source: { connection: () => store()?.connection, stream: LATE_PICTURES, consumer: LATE_CONSUMER, repair },
    log,
    signal: round.leaving.signal,
  })
  const alive = setInterval(() => round.showLife(), ACK_WAIT_MS / 3)
  const looking = setInterval(() => void round.lookForOthers(), LOOK_MS)
  return {
    // Nobody waits for a late picture: it is given back at once.
    stop: async () => {
      round.leaving.abort()
      round.stopping.abort(new Error('the worker is stopping'))
      round.giveBackWaiting()
      await receiving
      await round.idle()
      clearInterval(alive)
      clearInterval(looking)
    },
  }
}

class Round implements Intake {
  /** Aborts when nothing new is to be taken. */
  readonly leaving = new AbortController()
  readonly stopping = new AbortController()
  readonly #services: RetryingServices
  readonly #places = new LatePlaces()
  readonly #work = new Set<Promise<void>>()

  constructor(services: RetryingServices) {
    this.#services = services
  }

  room(): number {
    return this.#places.room()
  }

  take(message: JsMsg): void {
    if (this.#places.renew(message)) return
    if (this.stopping.signal.aborted) return this.#giveBack(message)
    const waitMs = this.#untilFirstMs(message)
    if (waitMs > 0) return this.#end(message, { end: 'nak', why: 'tried a moment ago', afterMs: waitMs })
    if (!this.#places.isFull || this.#isWayMade(clientOfLate(message.subject))) return this.#enter(message)
    if (!this.#places.wait(message)) this.#putOff(message, 'no place')
  }

  /** A vehicle that waits for a place would wait for nothing when the worker stops. */
  giveBackWaiting(): void {
    for (let next = this.#places.nextWaiting(); next; next = this.#places.nextWaiting()) this.#giveBack(next)
  }

  #giveBack(message: JsMsg): void {
    this.#end(message, { end: 'nak', why: 'the worker is stopping', afterMs: 0 })
  }

  #enter(message: JsMsg): void {
    const entered = this.#places.enter(message)
    const work = this.#try(entered).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Nobody else can wait where one client has all late pictures: then no more of them are asked for than have a place. */
  async lookForOthers(): Promise<void> {
    const manager = this.#services.store()?.manager
    if (!manager || !this.#places.isFull) return
    try {
      const { state } = await manager.streams.info(LATE_PICTURES, { subjects_filter: ALL_LATE })
      this.#places.know(new Set(Object.keys(state.subjects ?? {}).map(clientOfLate)))
    } catch (error) {
      this.#services.log.debug({ err: error }, 'could not look which clients have late pictures')
    }
  }

  #isWayMade(client: string): boolean {
    const giver = this.#places.giverFor(client)
    if (!giver) return false
    this.#places.leave(giver)
    giver.leaving.abort(new Error('another client has come'))
    this.#putOff(giver.message, 'another client has come')
    return true
  }

  #putOff(message: JsMsg, why: string): void {
    this.#end(message, { end: 'nak', why, afterMs: this.#places.backMs(message, this.#services.pace.firstMs) })
  }

  showLife(): void {
    for (const message of this.#places.messages()) this.#tell(() => message.working())
  }

  async idle(): Promise<void> {
    await Promise.all(this.#work)
  }

  /** The batch has just tried the pictures. */
  #untilFirstMs({ time }: JsMsg): number {
    return this.#services.pace.firstMs - (Date.now() - time.getTime())
  }

  async #try(entered: LateTry): Promise<void> {
    const { message, leaving } = entered
    const signal = AbortSignal.any([this.stopping.signal, leaving.signal])
    const outcome = await this.#outcomeOf(message, signal).catch((error: unknown): MessageOutcome => {
      if (!signal.aborted) this.#services.log.warn({ err: error }, 'could not try late pictures')
      return {
        end: 'nak',
        why: 'the attempt failed',
        afterMs: this.stopping.signal.aborted ? 0 : this.#nextMs(message),
      }
    })
    if (!this.#places.end(entered)) return
    this.#end(entered.message, outcome)
    const next = this.#places.nextWaiting()
    if (next) this.#enter(next)
  }

  async #outcomeOf(message: JsMsg, signal: AbortSignal): Promise<MessageOutcome> {
    const { store, images, log } = this.#services
    const late = readLateVehicle(message.string())
    if (!late) return { end: 'term', why: 'the late pictures cannot be read' }
    const opened = store()
    if (!opened) return { end: 'nak', why: 'the store is not reachable', afterMs: 1_000 }
    const isLastTime = Date.now() - message.time.getTime() + this.#nextMs(message) >= this.#services.pace.keptMs
    const { vehicles, jobs } = opened
    const why = await tryLateVehicle(late, { vehicles, jobs, images, signal, isLastTime })
    log.info({ jobId: late.job_id, clientId: late.client_id, outcome: why }, 'late pictures tried')
    if (why === 'judged' || why === 'superseded' || why === 'given up') return { end: 'ack', why }
    return { end: 'nak', why, afterMs: this.#nextMs(message) }
  }

  #nextMs({ time }: JsMsg): number {
    const { firstMs, longestMs } = this.#services.pace
    return Math.min(longestMs, Math.max(firstMs, Date.now() - time.getTime()))
  }

  #end(message: JsMsg, outcome: MessageOutcome): void {
    this.#tell(() => endMessage(message, outcome))
  }

  #tell(say: () => void): void {
    try {
      say()
    } catch (error) {
      // Its connection is closed: without further signs of life, the server gives the pictures to another worker.
      this.#services.log.debug({ err: error }, 'could not acknowledge a message')
    }
  }
}
