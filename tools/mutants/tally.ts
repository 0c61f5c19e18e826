import type { Equivalent } from './equivalents.ts'
import type { Outcome } from './outcomes.ts'

/** The counts of a run and its reports. */
export interface Tally {
  readonly mutants: number
  readonly survivors: number
  /**
   * Counts an outcome. Returns the lines that report a survivor, or an entry that calls a detected mutant equivalent.
   */
  take: (outcome: Outcome) => string[]
  /** Counts the entries of equivalents.yaml that match no survivor of a judged set any more; returns their lines. */
  takeStale: () => string[]
  summary: () => string
}

/** The counts so far. */
interface Counts {
  mutants: number
  checks: number
  examples: number
  cases: number
  equivalent: number
  survivors: number
}

/** Counts outcomes. A survivor counts as equivalent only if that is proved, or listed with a reason. */
export function createTally(equivalents: readonly Equivalent[]): Tally {
  const judged = new Set<string>()
  const used = new Set<string>()
  const counts: Counts = { mutants: 0, checks: 0, examples: 0, cases: 0, equivalent: 0, survivors: 0 }
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
      const known = equivalents.filter((entry) => names(entry, outcome))
      if (outcome.killer !== 'survived') return takeKilled(outcome, known, counts)
      if (outcome.proved === undefined) for (const { line } of known) used.add(`${line} ${outcome.set}`)
      const isEquivalent = outcome.proved !== undefined || known.length > 0
      counts[isEquivalent ? 'equivalent' : 'survivors']++
      return isEquivalent ? [] : [`survivor: ${inWords(outcome)}`]
    },
    takeStale() {
      const stale = equivalents.flatMap(({ set, line }) =>
        [...judged].filter((name) => set.test(name) && !used.has(`${line} ${name}`)).map((name) => ({ line, name })),
      )
      counts.survivors += stale.length
      return stale.map(({ line, name }) => `equivalents.yaml line ${line}: stale: no survivor of ${name} is like this`)
    },
    summary: () => summaryOf(counts),
  }
}

const names = ({ set, path, operator }: Equivalent, outcome: Outcome): boolean =>
  set.test(outcome.set) && path.test(outcome.path) && operator.test(outcome.operator)

/** An entry is wrong if an example or a case detects its mutant. */
function takeKilled(outcome: Outcome, known: readonly Equivalent[], counts: Counts): string[] {
  const { killer } = outcome
  if (killer === 'survived') return []
  counts[killer]++
  if (killer === 'checks') return []
  counts.survivors += known.length
  return known.map(({ line }) => `equivalents.yaml line ${line}: ${inWords(outcome)}, is killed by ${killer}`)
}

const inWords = ({ set, path, operator, was }: Outcome): string => `${set} ${path}: ${operator}, was ${was}`

function summaryOf({ mutants, checks, examples, cases, equivalent, survivors }: Counts): string {
  const killed = `killed by checks ${checks}, examples ${examples}, cases ${cases}`
  return `${mutants} mutants, ${killed}, equivalent ${equivalent}, survivors ${survivors}`
}
