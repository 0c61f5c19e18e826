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
/**
 * Vehicles of clients without a place that wait for one in this worker, one of each client. As many are asked for at once: all others are
 * put off, which takes as long as the server needs for their requests.
 */
const MOST_WAITING = 64

/**
 * The places of late vehicles: one client may occupy all of them, until another comes. Where all places are those of different clients, a
 * vehicle of a further client waits for the next that becomes free.
 */
export class LatePlaces {
  /** By the sequence of their message, the newest try last. */
  readonly #tries = new Map<number, LateTry>()
  /** By client, the first come first. */
  readonly #waiting = new Map<string, JsMsg>()
  readonly #putOff = new PutOff()
  #clients: readonly string[] = []
  /** How long a try takes, by the latest ones. */
  #usualMs = 0

  get isFull(): boolean {
    return this.#tries.size >= AT_ONCE
  }

  /** How many vehicles to ask for: without a free place, only if one of them may be of a client that gets a place, or waits for one. */
  room(): number {
    if (!this.isFull) return AT_ONCE - this.#tries.size
    const byClient = this.#byClient()
    const isLookedFor = (client: string) =>
      !(byClient.has(client) || this.#waiting.has(client)) || giverFor(client, byClient) !== undefined
    return this.#clients.some(isLookedFor) ? MOST_WAITING - this.#waiting.size : 0
  }

  /** Takes notice of the clients that have late pictures, whether or not it is time to try them. */
  know(clients: Iterable<string>): void {
    this.#clients = [...clients]
  }

  /** Whether the vehicle is here already: then this is its newest delivery. */
  renew(message: JsMsg): boolean {
    const here = this.#tries.get(message.seq)
    if (here) here.message = message
    const client = clientOfLate(message.subject)
    const waits = this.#waiting.get(client)?.seq === message.seq
    if (waits) this.#waiting.set(client, message)
    return here !== undefined || waits
  }

  /** The newest deliveries of all vehicles that are tried or wait. */
  messages(): JsMsg[] {
    return [...Array.from(this.#tries.values(), ({ message }) => message), ...this.#waiting.values()]
  }

  /** Has a vehicle wait for a place; false when its client has a place, or a vehicle that waits, or when too many wait. */
  wait(message: JsMsg): boolean {
    const client = clientOfLate(message.subject)
    if (this.#waiting.size >= MOST_WAITING || this.#waiting.has(client) || this.#byClient().has(client)) return false
    this.#waiting.set(client, message)
    return true
  }

  /** The vehicle that has waited longest, which waits no longer. */
  nextWaiting(): JsMsg | undefined {
    const [first] = this.#waiting
    if (first) this.#waiting.delete(first[0])
    return first?.[1]
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

  /** Which try gives way to one of this client. */
  giverFor(client: string): LateTry | undefined {
    return giverFor(client, this.#byClient())
  }

  #byClient(): Map<string, LateTry[]> {
    return Map.groupBy(this.#tries.values(), (each) => each.client)
  }
}

/** The newest of whoever has the most, if both clients then have as many or it has more. */
function giverFor(client: string, byClient: ReadonlyMap<string, LateTry[]>): LateTry | undefined {
  const own = byClient.get(client)?.length ?? 0
  const most = [...byClient.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
  return most.length >= own + 2 ? most.at(-1) : undefined
}
