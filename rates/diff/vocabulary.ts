import type { Round } from '../engine/grammar/charge.ts'
import { money } from './money.ts'

/** A bound on what a rule computes on, with an amount in words. */
export interface AmountBound {
  side: 'above' | 'up to'
  amount: string
}

/** What the words of a statement are made of: how names and tests of a rate set are written for one kind of reader. */
export interface Vocabulary {
  /** A name of a rate set: a fact, a class, a component, a basis, a sum of facts. */
  name: (name: string) => string
  zone: (zone: string) => string
  parameter: (reference: string) => string
  /** What stands behind an amount that is the value of a parameter; undefined where nothing does. */
  aloneParameter: (reference: string) => string | undefined
  /** What a test asks of a fact, or of a sum of facts. */
  test: (fact: string, test: unknown) => string
  sent: (facts: readonly string[]) => string
  bound: (bound: AmountBound) => string
  /** Tests that must all hold. */
  together: (tests: readonly string[]) => string
  /** The case that is left when others, in words, do not hold; whether that is said behind what it is said of. */
  otherwise: (others: readonly string[]) => { words: string; isBehind?: true }
  /** Conditions of which one must hold. */
  either: (conditions: readonly string[]) => string
  /** `to $0.10, half up`. */
  rounding: (round: Round) => string
}

/** What a request calls a test that has another name in a rate set. */
const FIELDS: Record<string, string> = { requestedDate: 'registration.startDate' }

/** The words of a grammar's bounds. */
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

/** The names as they stand in the rate sets, for those who write them. */
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

/** The bounds of a test, without those that are not set. */
export const boundsOf = (test: object): [string, unknown][] =>
  Object.entries(test).filter(([, value]) => value !== undefined)
