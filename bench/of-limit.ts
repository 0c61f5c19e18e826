import { ratioOf, type Figure } from './report.ts'
import { percentile } from './rounds.ts'

/** The median of some times beside a limit, all in milliseconds. */
export function ofLimit(what: string, times: readonly number[], limitMs: number): Figure {
  const ms = percentile(times, 50)
  return {
    what,
    measured: `${ms.toFixed(1)} ms (from ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)})`,
    comparedWith: `${limitMs.toLocaleString('en-AU')} ms`,
    ratio: ratioOf(ms, limitMs),
    target: `at most 1 (${limitMs.toLocaleString('en-AU')} ms)`,
    met: ms <= limitMs,
  }
}
