import type { Round } from '../engine/grammar/charge.ts'
import { money } from './money.ts'

/** A bound on the basis of a rule, with the amount in words. */
export interface AmountBound {
  side: 'above' | 'up to'
  amount: string
}

/** How names and tests of a rate set are worded for one kind of reader. */
export interface Vocabulary {
  /** The words for a name of a rate set: a fact, a class, a component, a basis, a sum of facts. */
  name: (name: string) => string
  zone: (zone: string) => string
  parameter: (reference: string) => string
  /** What follows an amount that is the value of a parameter; undefined when nothing does. */
  aloneParameter: (reference: string) => string | undefined
  /** The words for a test of a fact or of a sum of facts. */
  test: (fact: string, test: unknown) => string
  sent: (facts: readonly string[]) => string
  bound: (bound: AmountBound) => string
  /** Tests that must all hold. */
  together: (tests: readonly string[]) => string
  /**
   * The words for the remaining case, after cases with the given words; `isBehind` says that they follow what they
   * describe.
   */
  otherwise: (others: readonly string[]) => { words: string; isBehind?: true }
  /** Conditions of which at least one must hold. */
  either: (conditions: readonly string[]) => string
  /** `to $0.10, half up`. */
  rounding: (round: Round) => string
}

/** The request's name for a test whose name in a rate set differs. */
const FIELDS: Record<string, string> = { requestedDate: 'registration.startDate' }

/** The words for the bounds of the grammar. */
export const BOUNDS: Record<string, string> = {
  above: 'above',
  min: 'at least',
  max: 'at most',
  below: 'below',
  from: 'from',
  to: 'to',
}

/** `half up` for the mode `halfUp` of a rounding. */
export const modeWords = (mode: string) => (mode === 'halfUp' ? 'half up' : mode)

/** The names as the rate sets have them, for people who write rate sets. */
export const AS_WRITTEN: Vocabulary = {
  name: (name) => name,
  zone: (zone) => zone,
  parameter: (reference) => reference,
  aloneParameter: (reference) => reference,
  test: (fact, test) => `${FIELDS[fact] ?? fact} ${testWords(test)}`,
  sent: (facts) => `${facts.join(', ')} sent`,
  bound: ({ side, amount }) => `basis ${side} ${amount}`,
  together: (tests) => tests.join('; '),
  otherwise: () => ({ words: 'otherwise' }),
  either: (conditions) => conditions.join(' | '),
  rounding: ({ to, mode = 'halfUp' }) => `to ${money(to)}, ${modeWords(mode)}`,
}

function testWords(test: unknown): string {
  if (Array.isArray(test)) return test.join(' or ')
  if (typeof test !== 'object' || test === null) return String(test)
  return boundsOf(test)
    .map(([bound, value]) => `${BOUNDS[bound] ?? bound} ${String(value)}`)
    .join(', ')
}

/** The bounds of a test that are set. */
export const boundsOf = (test: object): [string, unknown][] =>
  Object.entries(test).filter(([, value]) => value !== undefined)
