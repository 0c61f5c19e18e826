import type { Clock } from '#runtime/clock.ts'
import { isRefusal } from '#runtime/kube/api-error.ts'
import { shownFault } from './client-secret.ts'

interface Refusal {
  reason: string
  dueAt: number
  waitMs: number
  /** Since when the name waits for its turn; 0 for a name that was never tried. */
  dueSince: number
}

const LEAST_WAIT_MS = 1000
/** Each run in which Secrets fail slowly takes seconds, and other changes wait for the run. */
const POSTPONED_MS = 30_000
const MOST_WAIT_MS = 300_000
/** No event tells that a Secret of another type was deleted. */
const MOST_WAIT_FOR_TYPE_MS = 30_000
const TRIES = 3
const SLOW = 'could not be created: the API server took too long for other Secrets'

/** The name belongs to a Secret that the operator does not read, as far as the server says. */
export class OtherType extends Error {
  override name = 'OtherType'

  constructor() {
    super('has another type and is not read')
  }
}

/** The names whose Secret could not be created, each with the reason and the time of the next try. */
export class Refusals {
  readonly #known = new Map<string, Refusal>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Forgets all names but these. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name)
  }

  forget(name: string): void {
    this.#known.delete(name)
  }

  /** Each further refusal of a name doubles its wait. */
  add(name: string, error: unknown): void {
    const known = this.#known.get(name)
    const mostMs = error instanceof OtherType ? MOST_WAIT_FOR_TYPE_MS : MOST_WAIT_MS
    const waitMs = known ? Math.min(mostMs, Math.max(LEAST_WAIT_MS, known.waitMs * 2)) : LEAST_WAIT_MS
    const dueAt = this.#clock.elapsed() + waitMs
    this.#known.set(name, { reason: reasonOf(error), waitMs, dueAt, dueSince: dueAt })
  }

  /** Records that the name was not tried, because failures of other names took too long. */
  postpone(name: string): void {
    const known = this.#known.get(name) ?? { reason: SLOW, waitMs: 0, dueSince: 0 }
    this.#known.set(name, { ...known, dueAt: this.#clock.elapsed() + POSTPONED_MS })
  }

  /** The names in the order in which they are to be tried: those that were never tried first, then who waits the longest. */
  inTurn(names: readonly string[]): string[] {
    const since = (name: string) => this.#known.get(name)?.dueSince ?? 0
    return names.toSorted((a, b) => since(a) - since(b))
  }

  isDue(name: string): boolean {
    return (this.#known.get(name)?.dueAt ?? 0) <= this.#clock.elapsed()
  }

  /** Why there is no Secret of that name, as the rest of a sentence about it. */
  reason(name: string): string | undefined {
    return this.#known.get(name)?.reason
  }

  /** Milliseconds until the first name is tried again. */
  nextMs(): number | undefined {
    if (this.#known.size === 0) return undefined
    let first = Infinity
    for (const { dueAt } of this.#known.values()) first = Math.min(first, dueAt)
    return Math.max(0, first - this.#clock.elapsed())
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OtherType) return error.message
  return `could not be created: ${shownFault(error)}`
}

/** Retries for so many milliseconds when the server is busy or fails; a refusal is not retried. */
export async function trying<T>(clock: Clock, forMs: number, act: () => Promise<T>): Promise<T> {
  const startedAt = clock.elapsed()
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (isRefusal(error) || attempt === TRIES || clock.elapsed() - startedAt > forMs) throw error
      await clock.sleep(100 * 2 ** attempt)
    }
  }
}
