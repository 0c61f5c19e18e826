import { runWorker } from '../explore/run-worker.ts'
import type { Tally, Task } from '../explore/worker.ts'
import type { Mutant } from './list.ts'

/** Milliseconds of processor time after which a mutant counts as not found. */
const MOST_MS = Number(process.env['MUTANT_SECONDS'] || 60) * 1000

interface Searching {
  /** The first of the fresh seeds. */
  seed: number
  workers: number
  unchecked: readonly string[]
}

/** Looks for a violation with each mutant, several at a time; prints the time that each took, and counts those found. */
export async function searchMutants(mutants: readonly Mutant[], searching: Searching): Promise<number> {
  let found = 0
  const startedAt = Date.now()
  const waiting = mutants.values()
  const searchNext = async () => {
    for (const mutant of waiting) if (await new Search(mutant, searching).run()) found += 1
  }
  await Promise.all(Array.from({ length: searching.workers }, searchNext))
  if (mutants.length > 0)
    console.log(`mutants: ${found} of ${mutants.length} found in ${seconds(Date.now() - startedAt)} s`)
  return found
}

/** The search for one mutant: at the seed that found it before, then at fresh ones. */
class Search {
  readonly #mutant: Mutant
  readonly #searching: Searching
  readonly #startedAt = Date.now()
  #seeds = 0
  #usedMs = 0

  constructor(mutant: Mutant, searching: Searching) {
    this.#mutant = mutant
    this.#searching = searching
  }

  async run(): Promise<boolean> {
    const { name, seed } = this.#mutant
    const text = (seed !== undefined && (await this.#next(seed, 1))?.text) || (await this.#atFreshSeeds())
    const took = `${seconds(this.#usedMs)} s of processor time, ${seconds(Date.now() - this.#startedAt)} s`
    console.log(
      text
        ? `mutant ${name}: found by ${text} (${took}, ${this.#seeds} seeds)`
        : `mutant ${name}: NOT FOUND in ${this.#seeds} seeds (${took})`,
    )
    return text !== undefined
  }

  async #atFreshSeeds(): Promise<string | undefined> {
    let from = this.#searching.seed
    while (this.#usedMs < MOST_MS) {
      const found = await this.#next(from)
      if (!found) return undefined
      if (found.text) return found.text
      from = found.seed + 1
    }
    return undefined
  }

  /** The next seed that breaks a rule; without a text where the code without the mutant breaks one there too. */
  async #next(from: number, count?: number): Promise<{ seed: number; text?: string } | undefined> {
    const { unchecked } = this.#searching
    const { name, emphasis } = this.#mutant
    const left = MOST_MS - this.#usedMs
    const found = await this.#firstViolation(
      { from, processorMs: left, unchecked, emphasis, ...(count && { count }) },
      name,
    )
    if (!found) return undefined
    const { seed, text } = found
    const without = await this.#firstViolation({ from: seed, count: 1, unchecked, emphasis })
    return without ? { seed } : { seed, text }
  }

  async #firstViolation(task: Omit<Task, 'until' | 'step' | 'isMutant'>, mutant?: string): Promise<Tally['violation']> {
    let usedMs = 0
    let found: Tally['violation']
    const onTally = (tally: Tally) => {
      if (mutant !== undefined) this.#seeds += tally.seeds
      usedMs = tally.usedMs
      found ??= tally.violation
    }
    await runWorker({ ...task, until: Infinity, step: 1, isMutant: true }, onTally, mutant)
    this.#usedMs += usedMs
    return found
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
