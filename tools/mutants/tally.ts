import type { Equivalent } from './equivalents.ts'
import type { Outcome } from './outcomes.ts'

/** The counts of a run, and what it has to say. */
export interface Tally {
  readonly mutants: number
  readonly survivors: number
  /** Counts an outcome; returns the lines that report a survivor, or an entry that calls a killed mutant equivalent. */
  take: (outcome: Outcome) => string[]
  /** Counts each entry of equivalents.yaml that no survivor of a judged set is like any more; returns their lines. */
  takeStale: () => string[]
  summary: () => string
}

/** Counts outcomes: a survivor counts as equivalent only where that is proved or listed with a reason. */
export function createTally(equivalents: readonly Equivalent[]): Tally {
  const judged = new Set<string>()
  const used = new Set<string>()
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
      judged.add(outcome.set)
      const { killer, proved } = outcome
      const known = listed(outcome)
      if (killer !== 'survived') {
        counts[killer]++
        const wrong = killer === 'checks' ? [] : known
        counts.survivors += wrong.length
        return wrong.map(({ line }) => `equivalents.yaml line ${line}: ${inWords(outcome)}, is killed by ${killer}`)
      }
      if (proved === undefined) for (const { line } of known) used.add(`${line} ${outcome.set}`)
      if (proved !== undefined || known.length > 0) {
        counts.equivalent++
        return []
      }
      counts.survivors++
      return [`survivor: ${inWords(outcome)}`]
    },
    takeStale() {
      const stale = equivalents.flatMap(({ set, line }) =>
        [...judged].filter((name) => set.test(name) && !used.has(`${line} ${name}`)).map((name) => ({ line, name })),
      )
      counts.survivors += stale.length
      return stale.map(({ line, name }) => `equivalents.yaml line ${line}: stale: no survivor of ${name} is like this`)
    },
    summary() {
      const { mutants, checks, examples, cases, equivalent, survivors } = counts
      return `${mutants} mutants, killed by checks ${checks}, examples ${examples}, cases ${cases}, equivalent ${equivalent}, survivors ${survivors}`
    },
  }
}

const inWords = ({ set, path, operator, was }: Outcome): string => `${set} ${path}: ${operator}, was ${was}`
