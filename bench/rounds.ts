/** A function to time; a promise is awaited before the next call. */
export interface Contender {
  name: string
  run: () => unknown
  /** Number of operations per call; default 1. */
  each?: number
}

const ROUNDS = 25
const ROUND_MS = 60

/**
 * Microseconds per operation of each contender: the median of rounds in which they take turns, so that other load on
 * the machine affects all of them.
 */
export async function timeInTurns(contenders: readonly Contender[]): Promise<Map<string, number>> {
  const rounds = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  const sizes = new Map<string, number>()
  for (const { name, run } of contenders) sizes.set(name, await sizeOf(run))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run, each = 1 } of contenders) {
      const calls = sizes.get(name) ?? 1
      rounds.get(name)?.push(((await millisecondsOf(run, calls)) * 1000) / calls / each)
    }
  }
  return new Map([...rounds].map(([name, times]) => [name, percentile(times, 50)]))
}

/** The value below which `percent` of the sorted values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN
}

/** The number of calls that fill a round, determined once the code is compiled. */
async function sizeOf(run: () => unknown): Promise<number> {
  let calls = 1
  for (;;) {
    const took = await millisecondsOf(run, calls)
    if (took > ROUND_MS * 5) return Math.max(1, Math.round((calls * ROUND_MS) / took))
    calls *= 2
  }
}

async function millisecondsOf(run: () => unknown, calls: number): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < calls; call++) {
    const result = run()
    // Awaiting a value that is not a promise would take most of the time of a quote.
    if (result instanceof Promise) await result
  }
  return performance.now() - start
}
