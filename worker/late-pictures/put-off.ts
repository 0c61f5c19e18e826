/** Milliseconds after which a vehicle without a place comes back; only those of a client that has very many come later. */
const BACK_SOONEST_MS = 100
const BACK_LATEST_MS = 5_000
/** Milliseconds, at least, between two that come back: the server must not spend itself on them. */
const BETWEEN_MS = 2.5

/** When the vehicles come back that are put off: one after the other, because each that comes back in vain is work for the server. */
export class PutOff {
  /** When the vehicle comes back that was put off last, of the clock of this process, in milliseconds; at most the latest. */
  #last = 0
  /** By client, when its vehicle comes back that was put off last, if that is the latest or later. */
  readonly #lastOf = new Map<string, number>()

  /**
   * Milliseconds after which a vehicle of this client comes back that is put off now. They follow each other as fast as places become
   * free. Those that have to come as late as possible share one rate, of which each client has as much: a client with few vehicles does
   * not wait for those of another, and whoever asks the server for all that are due comes to the end of them.
   */
  backMs(client: string, { untilPlaceMs, mostMs }: { untilPlaceMs: number; mostMs: number }): number {
    const now = performance.now()
    const latest = now + Math.min(BACK_LATEST_MS, mostMs)
    const next = this.#last + Math.max(BETWEEN_MS, untilPlaceMs)
    this.#last = Math.min(latest, Math.max(now + BACK_SOONEST_MS, next))
    return Math.round((this.#last < latest ? this.#last : this.#atLatest(client, latest)) - now)
  }

  #atLatest(client: string, latest: number): number {
    const now = performance.now()
    for (const [each, last] of this.#lastOf) if (last < now) this.#lastOf.delete(each)
    const before = this.#lastOf.get(client)
    const back = before === undefined ? latest : Math.max(latest, before + BETWEEN_MS * this.#lastOf.size)
    this.#lastOf.set(client, back)
    return back
  }
}
