import {
  add,
  compare,
  formatExact,
  multiply,
  parseExact,
  roundTo,
  toCents,
  whole,
  type Exact,
} from '../engine/exact.ts'
import type { Charge, Round } from '../engine/grammar/charge.ts'
import type { TermFactor } from '../engine/grammar/rule.ts'
import { centsOf, money, type Resolver } from './amounts.ts'

/** The term that most vehicles are registered for. */
const USUAL_MONTHS = 12

/** What a rule asks for the usual term; undefined where its lines do not depend on the term. */
export const usualTerm = (terms: readonly TermFactor[]): TermFactor | undefined =>
  terms.find(({ months }) => months === USUAL_MONTHS)

/** `amount`, or `amount for 12 months`. */
export const flatLabel = (term: TermFactor | undefined): string =>
  term === undefined ? 'amount' : `amount for ${term.months} months`

/**
 * An amount as it stands on the line of a quote, for the usual term, with what it comes from:
 * `$352.70 (from $352.6534, 20.42 × FEE_UNIT at $17.27)`. As it is written where the charge does more than round it.
 */
export function flatWords(charge: Charge, term: TermFactor | undefined, resolver: Resolver): string {
  const { flat = '', less, atLeast, atMost, round } = charge
  const written = resolver.amount(flat)
  const cents = resolver.cents(flat)
  if (cents === undefined || less || atLeast || atMost) return written
  const exact = parseExact(cents)
  const charged = whole(toCents(forTerm(rounded(exact, round), term, resolver)))
  if (compare(charged, exact) === 0) return written
  const behind = written.replace(' (', ', ').replace(/\)$/, '')
  return `${money(dollarsOf(charged))} (from ${behind})`
}

function forTerm(annual: Exact, term: TermFactor | undefined, { cents }: Resolver): Exact {
  if (!term) return annual
  const product = multiply(annual, parseExact(term.factor))
  const plus = term.plus === undefined ? undefined : cents(term.plus)
  return rounded(plus === undefined ? product : add(product, parseExact(plus)), term.round)
}

function rounded(cents: Exact, round: Round | undefined): Exact {
  return round ? roundTo(cents, parseExact(centsOf(round.to)!), round.mode ?? 'halfUp') : cents
}

/** Dollars with two places. */
function dollarsOf(cents: Exact): string {
  const text = formatExact(cents).replace('-', '').padStart(3, '0')
  return `${compare(cents, whole(0)) < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}
