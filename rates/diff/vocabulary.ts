import type { BasisCase } from '../engine/grammar/rate-set.ts'
import type { Round, Units } from '../engine/grammar/charge.ts'
import type { Case } from '../engine/grammar/rule.ts'
import type { BodiesLeft } from './bodies-left.ts'
import { money } from './money.ts'

/** A bound on the basis of a rule, with the amount in words. */
export interface AmountBound {
  side: 'above' | 'up to'
  amount: string
}

/** What a case has in place of a charge. */
export type WrittenOutcome = { [K in 'exempt' | 'unpriced' | 'reject']?: Case[K] | undefined }

/** The lists that make up a basis. */
export type BasisPart = Exclude<keyof BasisCase, 'when' | 'warning' | 'ofLines'>

/** The words for a fact, and its unit. */
export interface FactName {
  words: string
  unit?: string
}

/** The kinds of things that a request may leave out. */
export type Unsaid = 'fact' | 'class' | 'zone'

/** The labels of statements that have no name of their own. */
export type Labels = Record<
  'outcome' | 'gst' | 'priority' | 'table' | 'rows' | 'cases' | 'missing' | 'adjustments' | 'computed',
  string
>

/** How names and tests of a rate set are worded for one kind of reader. */
export interface Vocabulary {
  /** The words for a name of a rate set: a fact, a class, a component, a basis, a sum of facts. */
  name: (name: string) => string
  /** A fact as the name of a range, or of what is counted. */
  fact: (name: string) => FactName
  /** A number of a fact. */
  measure: (value: string, fact: string) => string
  zone: (zone: string, list: string) => string
  /** The words for a test whether a postcode is in one of some zones. */
  inZones: (zones: readonly string[], list: string) => string
  /** A list of zones. */
  zoneList: (list: string) => string
  parameter: (reference: string) => string
  /** What follows an amount that is the value of a parameter; undefined when nothing does. */
  aloneParameter: (reference: string) => string | undefined
  /**
   * The words for a test of a fact or of a sum of facts. `isSent`: a request must have the fact; `isAlone`: the condition has
   * no other test.
   */
  test: (fact: string, test: unknown, around: { isSent: boolean; isAlone: boolean }) => string
  /** The words for a day that lies so many years back. */
  age: (fact: string, ago: readonly string[]) => string
  /** The words for a vehicle outside all of these classes, which are in words. */
  none: (classes: readonly string[]) => string
  /** The words for facts that a request must have; `tested` are those with a test of their own. */
  sent: (facts: readonly string[], tested: readonly string[]) => string[]
  bound: (bound: AmountBound) => string
  /** Tests that must all hold. */
  together: (tests: readonly string[]) => string
  /**
   * The words for the remaining case, after other cases, each with the words of its tests; `left`: the bodies that these
   * leave, where that is known. `isBehind` says that the words follow what they describe.
   */
  otherwise: (others: readonly (readonly string[])[], left?: BodiesLeft) => { words: string; isBehind?: true }
  /** Conditions of which at least one must hold. */
  either: (conditions: readonly string[]) => string
  /** `to $0.10, half up`. */
  rounding: (round: Round) => string
  /** A rate, in words, for each unit of a fact. */
  units: (rate: string, units: Omit<Units, 'rate'>) => string
  /** The share of a year's amount that a term costs. */
  factor: (factor: string) => string
  outcome: (outcome: WrittenOutcome) => { value: string; brief: string } | undefined
  /** The amount that a concession sets. */
  instead: (amount: string) => string
  /** Says that an amount is for 12 months. */
  perTerm: string
  /** One part of a basis. */
  computed: (part: BasisPart, terms: readonly string[]) => string
  without: (subject: string, kind: Unsaid) => string
  assumed: (value: string, subject: string, kind: Unsaid) => string
  /** The words where nothing is assumed: the price stays open for a reason, or there is none. */
  open: (reason: string) => string
  refused: string
  /** What a table is read by. */
  read: (by: {
    fact?: string | undefined
    zone?: string | undefined
    columns?: readonly string[] | undefined
  }) => string[]
  order: (parts: readonly string[]) => string
  labels: Labels
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

/** How every wording of an amount for 12 months begins. */
export const FOR_A_YEAR = 'for 12 months'

/** The names as the rate sets have them, for people who write rate sets. */
export const AS_WRITTEN: Vocabulary = {
  name: (name) => name,
  zone: (zone) => zone,
  inZones: (zones, list) => `zone ${zones.join(' or ')} of ${list}`,
  zoneList: (list) => list,
  parameter: (reference) => reference,
  aloneParameter: (reference) => reference,
  fact: (name) => ({ words: name }),
  measure: (value) => value,
  test: (fact, test) => `${FIELDS[fact] ?? fact} ${testWords(test)}`,
  age: (fact, ago) => `${fact} ${ago.join(', ')}`,
  none: (classes) => `not ${classes.join(', ')}`,
  sent: (facts) => [`${facts.join(', ')} sent`],
  bound: ({ side, amount }) => `basis ${side} ${amount}`,
  together: (tests) => tests.join('; '),
  otherwise: () => ({ words: 'otherwise' }),
  either: (conditions) => conditions.join(' | '),
  rounding: ({ to, mode = 'halfUp' }) => `to ${money(to)}, ${modeWords(mode)}`,
  units: (rate, { per, of, part }) => `${rate} for each ${per} of ${of}, part ${part}`,
  factor: (factor) => `× ${factor}`,
  outcome: outcomeAsWritten,
  instead: (amount) => `${amount} in its place`,
  perTerm: `${FOR_A_YEAR}, by the term`,
  computed: (part, terms) => `${BASIS_PARTS[part]} ${terms.join(', ')}`,
  without: (subject) => `without ${subject}`,
  assumed: (value) => `${value} is taken`,
  open: (reason) => reason,
  refused: 'refused',
  read: ({ fact, zone, columns }) => [
    ...(fact === undefined ? [] : [`by ${fact}`]),
    ...(zone === undefined ? [] : [`by zone of ${zone}`]),
    ...(columns === undefined ? [] : [`columns ${columns.join(', ')}`]),
  ],
  order: (parts) => parts.join(' | '),
  labels: {
    outcome: 'outcome',
    gst: 'GST in the line',
    priority: 'priority among the rules of its component',
    table: 'table',
    rows: 'rows in this order',
    cases: 'cases',
    missing: 'without facts, in this order',
    adjustments: 'in this order',
    computed: 'computed as',
  },
}

const BASIS_PARTS: Record<BasisPart, string> = {
  sum: 'sum of',
  greatest: 'greatest of',
  firstPresent: 'first sent of',
  minus: 'less',
}

function outcomeAsWritten({ exempt, unpriced, reject }: WrittenOutcome): { value: string; brief: string } | undefined {
  if (exempt) {
    const line = exempt.line === 'zero' ? 'a line of $0' : 'no line'
    return { value: `no charge, ${line}: ${exempt.reason}`, brief: 'no charge' }
  }
  if (unpriced !== undefined) return { value: unpriced, brief: `not priced (${unpriced})` }
  return reject ? { value: 'refused', brief: 'refused' } : undefined
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
