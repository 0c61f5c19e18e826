import type { Clock } from '#runtime/clock.ts'

interface Refusal {
  reason: string
  dueAt: number
  waitMs: number
}

const LEAST_WAIT_MS = 1000
const MOST_WAIT_MS = 300_000
const MOST_LETTERS = 500

/** The names whose Secret the server refused to create, each with the reason and the time of the next try. */
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
    const waitMs = known ? Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, known.waitMs * 2)) : LEAST_WAIT_MS
    this.#known.set(name, { reason: reasonOf(error), waitMs, dueAt: this.#clock.elapsed() + waitMs })
  }

  /** Records that the name was not tried, because failures of other names took too long. */
  postpone(name: string): void {
    const { reason = 'the API server took too long for other Secrets', waitMs = 0 } = this.#known.get(name) ?? {}
    this.#known.set(name, { reason, waitMs, dueAt: this.#clock.elapsed() + LEAST_WAIT_MS })
  }

  isDue(name: string): boolean {
    return (this.#known.get(name)?.dueAt ?? 0) <= this.#clock.elapsed()
  }

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

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MOST_LETTERS)
