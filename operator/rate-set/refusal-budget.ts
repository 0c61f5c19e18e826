/**
 * Rate sets that take long to check and are then refused must not delay the others. One run spends a limited time on
 * contents that turn out to be at fault, and leaves the rest to later runs. Every second run judges only contents that
 * were never postponed, so a new edit waits for at most one run, however many contents are postponed.
 */

/**
 * The time in milliseconds that one run may spend on refused contents. Valid content does not count: a folder that is
 * applied at once becomes one release.
 */
const REFUSED_MS = 1000
const MOST_REMEMBERED = 10_000

/** The time spent on refused contents, across runs. */
export class RefusalBudget {
  /** Keys of the contents that an earlier run postponed. */
  readonly #waiting = new Set<string>()
  #catchesUp = true

  /** Starts a run. The result decides whether to judge a content, and records how long that took. */
  beginRun() {
    this.#catchesUp = !this.#catchesUp
    const catchesUp = this.#catchesUp
    const spentMs = { fresh: 0, waiting: 0 }
    const putOff = new Set<string>()
    return {
      judgeOrPutOff: (name: string, key: string): boolean => {
        const isWaiting = this.#waiting.has(key)
        const isDue = isWaiting ? catchesUp && spentMs.waiting < REFUSED_MS : spentMs.fresh < REFUSED_MS
        if (isDue) return true
        if (this.#waiting.size >= MOST_REMEMBERED) this.#waiting.clear()
        this.#waiting.add(key)
        putOff.add(name)
        return false
      },
      judged: (key: string, isRefused: boolean, tookMs: number): void => {
        const isWaiting = this.#waiting.delete(key)
        if (isRefused) spentMs[isWaiting ? 'waiting' : 'fresh'] += tookMs
      },
      /**
       * Whether this run postpones the newest content of one of these sets; sets that import it then cannot be judged
       * finally.
       */
      leavesOut: (names: readonly string[]): boolean => names.some((name) => putOff.has(name)),
    }
  }
}
