import type { JsMsg } from '@nats-io/jetstream'
import { clientOfLate } from '#inventory/storage.ts'
import { PutOff } from './put-off.ts'

/** A vehicle whose late pictures are judged now. */
export interface LateTry {
  /** Its newest delivery. */
  message: JsMsg
  readonly client: string
  /** Aborts when the vehicle gives its place to one of another client. */
  readonly leaving: AbortController
  /** Of the clock of this process, in milliseconds. */
  readonly since: number
}

/** Vehicles whose late pictures are judged at once, which occupies no place of a batch. */
const AT_ONCE = 8
/** Vehicles that are asked for while all places are occupied and another client may wait. */
const LOOKED_AT = 8

/** The places of late vehicles: one client may occupy all of them, until another comes. */
export class LatePlaces {
  /** By the sequence of their message, the newest try last. */
  readonly #tries = new Map<number, LateTry>()
  readonly #putOff = new PutOff()
  #clients: readonly string[] = []
  /** How long a try takes, by the latest ones. */
  #usualMs = 0

  get isFull(): boolean {
    return this.#tries.size >= AT_ONCE
  }

  /** How many vehicles to ask for: without a free place, only if one of them may be of a client that others give way to. */
  room(): number {
    if (!this.isFull) return AT_ONCE - this.#tries.size
    return this.#clients.some((client) => this.giverFor(client)) ? LOOKED_AT : 0
  }

  /** Takes notice of the clients that have late pictures, whether or not it is time to try them. */
  know(clients: Iterable<string>): void {
    this.#clients = [...clients]
  }

  find(sequence: number): LateTry | undefined {
    return this.#tries.get(sequence)
  }

  all(): Iterable<LateTry> {
    return this.#tries.values()
  }

  enter(message: JsMsg): LateTry {
    const entered = {
      message,
      client: clientOfLate(message.subject),
      leaving: new AbortController(),
      since: performance.now(),
    }
    this.#tries.set(message.seq, entered)
    return entered
  }

  /** Ends a try; false when it had given way before. */
  end(ended: LateTry): boolean {
    this.#usualMs = (this.#usualMs + performance.now() - ended.since) / 2
    return this.leave(ended)
  }

  /** Whether the try still had its place. */
  leave(left: LateTry): boolean {
    return this.#tries.get(left.message.seq) === left && this.#tries.delete(left.message.seq)
  }

  /** Milliseconds after which this vehicle comes back: later if tries take longer than before. */
  backMs(message: JsMsg, mostMs: number): number {
    const now = performance.now()
    const newest = [...this.#tries.values()].at(-1)?.since ?? now
    const untilPlaceMs = Math.max(this.#usualMs, now - newest) / AT_ONCE
    return this.#putOff.backMs(clientOfLate(message.subject), { untilPlaceMs, mostMs })
  }

  /** Which try gives way to one of this client: the newest of whoever has the most, if both then have as many or it has more. */
  giverFor(client: string): LateTry | undefined {
    const byClient = Map.groupBy(this.#tries.values(), (each) => each.client)
    const own = byClient.get(client)?.length ?? 0
    const most = [...byClient.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    return most.length >= own + 2 ? most.at(-1) : undefined
  }
}
