/**
 * Rate sets that take long to refuse must not keep the others waiting: one run spends a bounded time on contents that turn
 * out to be at fault, and leaves the rest of what it has not judged to later runs. Every other run judges only what was
 * never put off, so an edit that comes in meanwhile is served after one run at most, whatever is still waiting.
 */
import type { Fault } from '#rates/checks/fault.ts'

/** What one run may spend on contents that are refused. Good content is not counted: an applied folder is one release. */
const REFUSED_MS = 1000
const MOST_REMEMBERED = 10_000

const POSTPONED = 'postponed'

/** The mark of a content that this run does not judge: nothing is said of its object, and it keeps what is published. */
export const postponedFault: Fault = { check: POSTPONED, path: '', message: 'the checks of other sets take long' }

export const isPostponed = (faults: readonly Fault[]): boolean => faults[0]?.check === POSTPONED

/** Whose turn it is, over all runs. */
export class Turns {
  /** Put off by an earlier run, by content. */
  readonly #waiting = new Set<string>()
  #catchesUp = true

  /** One run: whether a content has its turn in it, and what judging the content took. */
  begin() {
    this.#catchesUp = !this.#catchesUp
    const catchesUp = this.#catchesUp
    const spentMs = { fresh: 0, waiting: 0 }
    const putOff = new Set<string>()
    return {
      hasTurn: (name: string, key: string): boolean => {
        const isWaiting = this.#waiting.has(key)
        const isDue = isWaiting ? catchesUp && spentMs.waiting < REFUSED_MS : spentMs.fresh < REFUSED_MS
        if (isDue) return true
        if (this.#waiting.size >= MOST_REMEMBERED) this.#waiting.clear()
        this.#waiting.add(key)
        putOff.add(name)
        return false
      },
      judged: (key: string, faults: readonly Fault[], tookMs: number): void => {
        const isWaiting = this.#waiting.delete(key)
        if (faults.length > 0) spentMs[isWaiting ? 'waiting' : 'fresh'] += tookMs
      },
      /** Whether this run leaves out the newest content of one of these sets: what imports it cannot be judged finally. */
      leavesOut: (names: readonly string[]): boolean => names.some((name) => putOff.has(name)),
    }
  }
}
