import type { Equivalent } from './equivalents.ts'
import type { Outcome } from './outcomes.ts'

/** The counts of a run, and what it has to say. */
export interface Tally {
  readonly mutants: number
  readonly survivors: number
  /** Counts an outcome; returns the line that reports a survivor. */
  take: (outcome: Outcome) => string | undefined
  /** Counts each entry of equivalents.yaml that no mutant is like any more; returns their lines. */
  takeUnused: () => string[]
  summary: () => string
}

/** Counts outcomes: a survivor counts as equivalent only where that is proved or listed with a reason. */
export function createTally(equivalents: readonly Equivalent[]): Tally {
  const used = new Set<Equivalent>()
  const counts = { mutants: 0, checks: 0, examples: 0, cases: 0, equivalent: 0, survivors: 0 }
  const listed = (outcome: Outcome) =>
    equivalents.filter(
      ({ set, path, operator }) =>
        set.test(outcome.set) && path.test(outcome.path) && operator.test(outcome.operator),
    )
  return {
    get mutants() {
      return counts.mutants
    },
    get survivors() {
      return counts.survivors
    },
    take(outcome) {
      counts.mutants++
      if (outcome.killer !== 'survived') return void counts[outcome.killer]++
      const known = listed(outcome)
      for (const each of known) used.add(each)
      if (outcome.proved !== undefined || known.length > 0) return void counts.equivalent++
      counts.survivors++
      return `survivor: ${outcome.set} ${outcome.path}: ${outcome.operator}, was ${outcome.was}`
    },
    takeUnused() {
      const unused = equivalents.filter((each) => !used.has(each))
      counts.survivors += unused.length
      return unused.map(({ line }) => `equivalents.yaml line ${line}: no mutant is like this any more; delete the entry`)
    },
    summary() {
      const { mutants, checks, examples, cases, equivalent, survivors } = counts
      return `${mutants} mutants, killed by checks ${checks}, examples ${examples}, cases ${cases}, equivalent ${equivalent}, survivors ${survivors}`
    },
  }
}
