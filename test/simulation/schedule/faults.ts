import { chanceAt } from './chance.ts'

/** What can go wrong with one call. */
export type CallFault = 'crash before' | 'crash after' | 'refused' | 'lost' | 'lost before' | 'slow' | 'delayed'
/** What can go wrong with one event of a stream. */
export type StreamFault = 'dropped' | 'half-open' | 'compacted' | 'crash'

export interface Rates<F extends string> {
  fault: F
  /** Of all calls. */
  share: number
}

/** Faults that happened, in order: what a shortened run leaves out. */
export interface Happened {
  /** `call 17`: stays the same while what came before stays the same. */
  id: string
  fault: string
  on: string
}

/** Which faults are let through; everything, where nothing is said. */
export type Allowed = (id: string) => boolean

/** Decides by the seed and a running number which call and which event goes wrong. */
export class Faults {
  readonly happened: Happened[] = []
  readonly counts = new Map<string, number>()
  calls = 0
  #events = 0
  isOver = false
  readonly #seed: number
  readonly #allowed: Allowed
  readonly #shares: { calls: readonly Rates<CallFault>[]; events: readonly Rates<StreamFault>[] }

  constructor(
    seed: number,
    shares: { calls: readonly Rates<CallFault>[]; events: readonly Rates<StreamFault>[] },
    allowed: Allowed = () => true,
  ) {
    this.#seed = seed
    this.#shares = shares
    this.#allowed = allowed
  }

  ofCall(on: string): CallFault | undefined {
    this.calls += 1
    return this.#at(`call ${this.calls}`, on, this.#drawn(this.#shares.calls, this.calls))
  }

  ofEvent(on: string): StreamFault | undefined {
    this.#events += 1
    return this.#at(`event ${this.#events}`, on, this.#drawn(this.#shares.events, -this.#events))
  }

  count(fault: string): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
  }

  #drawn<F extends string>(rates: readonly Rates<F>[], position: number): F | undefined {
    let left = chanceAt(this.#seed, position)
    for (const { fault, share } of rates) {
      left -= share
      if (left < 0) return fault
    }
    return undefined
  }

  #at<F extends string>(id: string, on: string, fault: F | undefined): F | undefined {
    if (!fault || this.isOver || !this.#allowed(id)) return undefined
    this.happened.push({ id, fault, on })
    this.count(fault)
    return fault
  }
}
