import { runWorker } from '../explore/run-worker.ts'
import type { Tally } from '../explore/worker.ts'
import type { Mutant } from './list.ts'

/** Milliseconds of processor time after which a mutant counts as not found. */
const MOST_MS = Number(process.env['MUTANT_SECONDS'] || 60) * 1000

interface Searching {
  /** The first seed. */
  seed: number
  workers: number
  unchecked: readonly string[]
}

/** Looks for a violation with each mutant, several at a time; prints the time that each took, and counts those found. */
export async function searchMutants(mutants: readonly Mutant[], searching: Searching): Promise<number> {
  let found = 0
  const waiting = mutants.values()
  const searchNext = async () => {
    for (const mutant of waiting) if (await search(mutant, searching)) found += 1
  }
  await Promise.all(Array.from({ length: searching.workers }, searchNext))
  return found
}

async function search({ name }: Mutant, { seed, unchecked }: Searching): Promise<boolean> {
  const startedAt = Date.now()
  let [seeds, left] = [0, MOST_MS]
  for (let from = seed; left > 0;) {
    const { tally, tried, usedMs } = await firstViolation({ from, processorMs: left, unchecked }, name)
    seeds += tried
    left -= usedMs
    if (!tally?.violation) break
    const { seed: at, text } = tally.violation
    // A seed that breaks the same rule without the mutant says nothing about the mutant.
    const { tally: without } = await firstViolation({ from: at, count: 1, unchecked })
    if (without?.violation?.rule !== tally.violation.rule) {
      console.log(
        `mutant ${name}: found by ${text} (${seconds(MOST_MS - left)} s of processor time, ${seconds(Date.now() - startedAt)} s, ${seeds} seeds)`,
      )
      return true
    }
    from = at + 1
  }
  console.log(`mutant ${name}: NOT FOUND in ${seeds} seeds`)
  return false
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

async function firstViolation(
  task: { from: number; processorMs?: number; count?: number; unchecked: readonly string[] },
  mutant?: string,
): Promise<{ tally: Tally | undefined; tried: number; usedMs: number }> {
  let [tried, usedMs] = [0, 0]
  let found: Tally | undefined
  const onTally = (tally: Tally) => {
    tried += tally.seeds
    usedMs = tally.usedMs
    if (tally.violation) found ??= tally
  }
  await runWorker({ ...task, until: Infinity, step: 1, isMutant: true }, onTally, mutant)
  return { tally: found, tried, usedMs }
}
