import { runWorker } from '../explore/run-worker.ts'
import type { Mutant } from './list.ts'

/** Milliseconds after which a mutant counts as not found. */
const MOST_MS = Number(process.env['MUTANT_SECONDS'] || 60) * 1000

/** Looks for a violation with each mutant, several at a time; prints the time that each took, and counts those found. */
export async function searchMutants(
  mutants: readonly Mutant[],
  { seed, workers, unchecked }: { seed: number; workers: number; unchecked: readonly string[] },
): Promise<number> {
  let found = 0
  const waiting = mutants.values()
  const searchNext = async () => {
    for (const mutant of waiting) if (await search(mutant, seed, unchecked)) found += 1
  }
  await Promise.all(Array.from({ length: workers }, searchNext))
  return found
}

async function search({ name }: Mutant, from: number, unchecked: readonly string[]): Promise<boolean> {
  const startedAt = Date.now()
  let seeds = 0
  let violation: string | undefined
  const task = { from, step: 1, until: startedAt + MOST_MS, unchecked, isMutant: true }
  await runWorker(
    task,
    (tally) => {
      seeds += tally.seeds
      violation ??= tally.violation?.text
    },
    name,
  )
  const took = `${((Date.now() - startedAt) / 1000).toFixed(1)} s, ${seeds} seeds`
  console.log(`mutant ${name}: ${violation === undefined ? 'NOT FOUND' : `found by ${violation}`} (${took})`)
  return violation !== undefined
}
