import { simulate, type Options, type Outcome } from './simulate.ts'

/** Runs at most: a shortened run is for people, who wait. */
const MOST_RUNS = 60

/**
 * Leaves out, of the edits and faults of a seed that breaks a rule, whatever the same rule breaks without (delta
 * debugging, Zeller 1999: halves first, then quarters, down to single ones). `begin` is called before each run.
 */
export async function shorten(seed: number, options: Options, begin: () => void): Promise<Outcome> {
  let runs = 0
  const attempt = async (kept: readonly string[] | undefined, traced = 0): Promise<Outcome> => {
    runs += 1
    begin()
    const ids = kept && new Set(kept)
    return simulate(seed, { ...options, traced, ...(ids && { allowed: (id) => ids.has(id) }) })
  }
  const whole = await attempt(undefined)
  const rule = whole.violation?.rule
  let kept = whole.happened.map(({ id }) => id)
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1 && runs < MOST_RUNS;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let from = 0; from < kept.length && runs < MOST_RUNS;) {
      const fewer = kept.filter((_, at) => at < from || at >= from + size)
      const outcome = await attempt(fewer)
      if (rule !== undefined && outcome.violation?.rule === rule) kept = outcome.happened.map(({ id }) => id)
      else from += size
    }
  }
  return attempt(kept, 40)
}

/** A run as people read it. */
export function described(seed: number, { violation, happened, trace, emphasis }: Outcome): string {
  const events = happened.map(({ id, fault, on }) => `  ${id.padEnd(10)} ${fault}: ${on}`)
  return [
    `seed ${seed}: ${violation?.message ?? 'no violation'}`,
    `after ${happened.length} edits and faults:`,
    ...events,
    'the last steps:',
    ...trace.map((line) => `  ${line}`),
    `again: make simulate SEED=${seed}${emphasis ? ` EMPHASIS='${emphasis}'` : ''} KEEP='${happened.map(({ id }) => id).join(',')}'`,
  ].join('\n')
}
