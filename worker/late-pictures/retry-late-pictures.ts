import type { JsMsg } from '@nats-io/jetstream'
import { readLateVehicle } from '#inventory/late-vehicle.ts'
import { ACK_WAIT_MS, LATE_CONSUMER, LATE_KEPT_MS, LATE_PICTURES } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import { receive, type Intake } from '#runtime/nats/receive.ts'
import type { ImageModerator } from '../moderation/types.ts'
import { endMessage, type MessageOutcome } from '../outcome.ts'
import type { Work } from '../work.ts'
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

/** Vehicles whose late pictures are judged at once, which occupies no place of a batch; and of these, of one client. */
const AT_ONCE = 8
const OF_ONE_CLIENT = 4
/** Milliseconds after which a vehicle comes back that its client had no place for. */
const SHARE_MS = 5_000

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
  return {
    // Nobody waits for a late picture: it is given back at once.
    stop: async () => {
      round.leaving.abort()
      round.stopping.abort(new Error('the worker is stopping'))
      await receiving
      await round.idle()
      clearInterval(alive)
    },
  }
}

class Round implements Intake {
  /** Aborts when nothing new is to be taken. */
  readonly leaving = new AbortController()
  readonly stopping = new AbortController()
  readonly #services: RetryingServices
  /** The newest delivery of each vehicle in progress, by its sequence. */
  readonly #inHand = new Map<number, JsMsg>()
  readonly #work = new Set<Promise<void>>()

  constructor(services: RetryingServices) {
    this.#services = services
  }

  room(): number {
    return Math.max(0, AT_ONCE - this.#inHand.size)
  }

  take(message: JsMsg): void {
    const isHere = this.#inHand.has(message.seq)
    const ofClient = [...this.#inHand.values()].filter(({ subject }) => subject === message.subject).length
    const waitMs = this.#untilFirstMs(message)
    if (!isHere && waitMs > 0) return this.#end(message, { end: 'nak', why: 'tried a moment ago', afterMs: waitMs })
    if (!isHere && ofClient >= OF_ONE_CLIENT) {
      return this.#end(message, {
        end: 'nak',
        why: 'its client has its share',
        afterMs: Math.min(SHARE_MS, this.#services.pace.firstMs),
      })
    }
    this.#inHand.set(message.seq, message)
    if (isHere) return
    const work = this.#try(message).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  showLife(): void {
    for (const message of this.#inHand.values()) this.#tell(() => message.working())
  }

  async idle(): Promise<void> {
    await Promise.all(this.#work)
  }

  /** The batch has just tried the pictures. */
  #untilFirstMs({ time }: JsMsg): number {
    return this.#services.pace.firstMs - (Date.now() - time.getTime())
  }

  async #try(message: JsMsg): Promise<void> {
    const outcome = await this.#outcomeOf(message).catch((error: unknown): MessageOutcome => {
      if (!this.stopping.signal.aborted) this.#services.log.warn({ err: error }, 'could not try late pictures')
      return {
        end: 'nak',
        why: 'the attempt failed',
        afterMs: this.stopping.signal.aborted ? 0 : this.#nextMs(message),
      }
    })
    const newest = this.#inHand.get(message.seq) ?? message
    this.#inHand.delete(message.seq)
    this.#end(newest, outcome)
  }

  async #outcomeOf(message: JsMsg): Promise<MessageOutcome> {
    const { store, images, log } = this.#services
    const late = readLateVehicle(message.string())
    if (!late) return { end: 'term', why: 'the late pictures cannot be read' }
    const opened = store()
    if (!opened) return { end: 'nak', why: 'the store is not reachable', afterMs: 1_000 }
    const isLastTime = Date.now() - message.time.getTime() + this.#nextMs(message) >= this.#services.pace.keptMs
    const { vehicles, jobs } = opened
    const why = await tryLateVehicle(late, { vehicles, jobs, images, signal: this.stopping.signal, isLastTime })
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
