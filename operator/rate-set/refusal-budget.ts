/**
 * Rate sets that take long to refuse must not keep the others waiting: one run spends a bounded time on contents that turn
 * out to be at fault, and leaves the rest of what it has not judged to later runs. Every other run judges only what was
 * never put off, so an edit that comes in meanwhile is served after one run at most, whatever is still waiting.
 */

/** What one run may spend on contents that are refused. Good content is not counted: an applied folder is one release. */
const REFUSED_MS = 1000
const MOST_REMEMBERED = 10_000

/** What may be spent on refused contents, over all runs. */
export class RefusalBudget {
  /** Put off by an earlier run, by content. */
  readonly #waiting = new Set<string>()
  #catchesUp = true

  /** One run: whether it judges a content, and what judging the content took. */
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
      /** Whether this run leaves out the newest content of one of these sets: what imports it cannot be judged finally. */
      leavesOut: (names: readonly string[]): boolean => names.some((name) => putOff.has(name)),
    }
  }
}
