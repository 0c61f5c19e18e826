import type { Fault } from '#rates/checks/fault.ts'

/** Sets and their faults together: outcomes of old content must not fill the memory. */
const MOST_KEPT = 10_000

interface Outcome {
  faults: Fault[]
  /** Milliseconds since 1970; afterwards the set is judged again. */
  until: number
}

/** Outcomes of checks by set name and attested digest; beyond the limit, the least recently used are forgotten. */
export class Outcomes {
  readonly #known = new Map<string, Outcome>()
  #size = 0

  get(key: string, now: number): Fault[] | undefined {
    const known = this.#known.get(key)
    if (!known) return undefined
    this.#forget(key, known)
    if (known.until <= now) return undefined
    this.#keep(key, known)
    return known.faults
  }

  set(key: string, outcome: Outcome): void {
    const known = this.#known.get(key)
    if (known) this.#forget(key, known)
    this.#keep(key, outcome)
    for (const [oldest, each] of this.#known) {
      if (this.#size <= MOST_KEPT) return
      this.#forget(oldest, each)
    }
  }

  #keep(key: string, outcome: Outcome): void {
    this.#known.set(key, outcome)
    this.#size += 1 + outcome.faults.length
  }

  #forget(key: string, { faults }: Outcome): void {
    this.#known.delete(key)
    this.#size -= 1 + faults.length
  }
}
