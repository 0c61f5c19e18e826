import {
  add,
  compare,
  formatExact,
  multiply,
  parseExact,
  roundTo,
  subtract,
  whole,
  type Exact,
} from '../engine/exact.ts'
import type { Charge, Round } from '../engine/grammar/charge.ts'
import type { TermFactor } from '../engine/grammar/rule.ts'
import { centsOf, type Resolver } from './amounts.ts'
import { money } from './money.ts'
import { roundWords } from './rate-words.ts'
import { figure, type ComputedLine, type TypedFigure, type WordedStatement } from './said.ts'

/** The term for which most vehicles are registered, in months. */
const USUAL_MONTHS = 12

/** The factor of a rule for the usual term; undefined when its lines do not depend on the term. */
export const usualTerm = (terms: readonly TermFactor[]): TermFactor | undefined =>
  terms.find(({ months }) => months === USUAL_MONTHS)

/** What changes an amount of a charge before it becomes the line. */
export interface Charging {
  charge: Charge
  /** The term for which the amount is stated. */
  term: TermFactor | undefined
  /** The other terms. */
  others?: readonly TermFactor[]
  resolver: Resolver
}

/** `METRO for 12 months` when the amount is stated for a term; otherwise the label alone. */
export const labelForTerm = (label: string, charging: Charging): string => `${label}${termWords(charging)}`

/** ` for 12 months` when the amount is stated for a term; otherwise nothing. */
export const termWords = (charging: Charging): string =>
  charging.term && limitsOf(charging) ? ` for ${charging.term.months} months` : ''

/**
 * An amount as the line of a quote shows it for the usual term, with its origin: `$352.70 (from $352.6534, 20.42 ×
 * FEE_UNIT at $17.27)`. When more than the charge determines the line, the amount as it is written.
 */
export function chargedWords(amount: string, charging: Charging): string {
  const charged = chargedCents(amount, charging)
  if (charged === undefined || formatExact(charged) === charging.resolver.cents(amount))
    return charging.resolver.amount(amount)
  const written = charging.resolver.amountParts(amount)
  const origin = written.origin === undefined ? '' : `, ${written.origin}`
  return `${money(dollarsOf(charged))} (from ${written.amount}${origin})`
}

/** The line of an amount, and how it is computed; empty when the amount is the line, or when more determines the line. */
export function lineOf(amount: string, charging: Charging): { line?: ComputedLine } {
  const charged = chargedCents(amount, charging)
  if (charged === undefined || formatExact(charged) === charging.resolver.cents(amount)) return {}
  const { amount: written, origin } = charging.resolver.amountParts(amount)
  const { round, less, atLeast, atMost } = charging.charge
  const from = origin === undefined ? written : `${origin} is ${written}`
  const isLimited = (less ?? atLeast ?? atMost) !== undefined
  const rounding = round ? roundWords(round, charging.resolver) : 'to the cent'
  const how = isLimited ? `computed from ${from}` : `${from}, rounded ${rounding}`
  return { line: { amount: money(dollarsOf(charged)), how } }
}

/** The statement of an amount that is charged as it is written, apart from what the charge does to every amount. */
export const chargedStatement = (key: string, label: string, amount: string, charging: Charging): WordedStatement => ({
  ...figure(key, label, chargedWords(amount, charging), chargedFigure(amount, charging)),
  ...lineOf(amount, charging),
  ...otherTermsOf(amount, charging),
})

/** Cents of the line for the other terms; a term that counts by days depends on the days of the request. */
function otherTermsOf(amount: string, { others = [], ...charging }: Charging): Pick<WordedStatement, 'otherTerms'> {
  const found = others.flatMap((term) => {
    const cents = term.factor === 'days' ? undefined : chargedCents(amount, { ...charging, term })
    return cents ? [{ months: term.months, cents: formatExact(cents) }] : []
  })
  return found.length === 0 ? {} : { otherTerms: found }
}

/** An amount as data: its exact value, and the value on the line. */
export function chargedFigure(amount: string | undefined, charging: Charging): TypedFigure | undefined {
  const value = amount === undefined ? undefined : charging.resolver.cents(amount)
  if (amount === undefined || value === undefined) return undefined
  const charged = chargedCents(amount, charging)
  if (!charged) return { unit: 'cents', value }
  const cents = formatExact(charged)
  return { unit: 'cents', value, charged: charging.term ? { cents, months: charging.term.months } : { cents } }
}

/** The deductions and bounds of a charge in cents; undefined when a line or an input of the request determines them. */
function limitsOf({ charge, resolver }: Charging): { less: Exact[]; atLeast?: Exact; atMost?: Exact } | undefined {
  const { less = [], atLeast, atMost } = charge
  const all = [...less, ...(atLeast === undefined ? [] : [atLeast]), ...(atMost === undefined ? [] : [atMost])]
  if (all.some((one) => resolver.cents(one) === undefined)) return undefined
  const exact = (text: string) => parseExact(resolver.cents(text)!)
  return {
    less: less.map(exact),
    ...(atLeast !== undefined && { atLeast: exact(atLeast) }),
    ...(atMost !== undefined && { atMost: exact(atMost) }),
  }
}

/** Whole cents of the line; undefined when more than the charge determines the line. */
function chargedCents(amount: string, charging: Charging): Exact | undefined {
  const { charge, term, resolver } = charging
  const [cents, limits] = [resolver.cents(amount), limitsOf(charging)]
  if (cents === undefined || !limits) return undefined
  const left = limits.less.reduce(subtract, parseExact(cents))
  const raised = limits.atLeast && compare(left, limits.atLeast) < 0 ? limits.atLeast : left
  const limited = limits.atMost && compare(raised, limits.atMost) > 0 ? limits.atMost : raised
  return roundTo(forTerm(rounded(limited, charge.round), term, resolver), whole(1), 'halfUp')
}

function forTerm(annual: Exact, term: TermFactor | undefined, { cents }: Resolver): Exact {
  if (!term) return annual
  // For twelve months, the factor `days` is 1.
  const product = term.factor === 'days' ? annual : multiply(annual, parseExact(term.factor))
  const plus = term.plus === undefined ? undefined : cents(term.plus)
  return rounded(plus === undefined ? product : add(product, parseExact(plus)), term.round)
}

/** Cents as a charge or a term rounds them. */
export function rounded(cents: Exact, round: Round | undefined): Exact {
  return round ? roundTo(cents, parseExact(centsOf(round.to)!), round.mode ?? 'halfUp') : cents
}

/** Dollars with two decimal places. */
function dollarsOf(cents: Exact): string {
  const text = formatExact(cents).replace('-', '').padStart(3, '0')
  return `${compare(cents, whole(0)) < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}
