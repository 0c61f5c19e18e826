import type { Charge, Offer } from '../engine/grammar/charge.ts'
import type { TermFactor } from '../engine/grammar/rule.ts'
import type { Resolver } from './amounts.ts'
import { chargedStatement, labelForTerm, type Charging } from './as-charged.ts'
import { bandStatements } from './band-statements.ts'
import { risingOf } from './interpolated.ts'
import {
  centsFigure,
  interpolateWords,
  rateFigure,
  roundWords,
  unitsFigure,
  unitsWords,
  wholeWords,
} from './rate-words.ts'
import { allSaid, figure, type WordedStatement, type TypedFigure } from './said.ts'
import { tableStatements } from './table-statements.ts'

/** What the wording of a charge depends on besides the charge. */
export interface ChargeAround {
  /** The term for which the charge is stated. */
  term: TermFactor | undefined
  /** The other terms. */
  others?: readonly TermFactor[]
  /** The amount above which the charge applies; undefined when it applies from 0. */
  above: string | undefined
}

/** The statements of a charge, one for each figure. */
export function chargeStatements(
  charge: Charge,
  resolver: Resolver,
  { above, ...ofTerms }: ChargeAround,
): WordedStatement[] {
  const { amount } = resolver
  const { flat, whole, bands, interpolate, units, table, greatestOf, less, atLeast, atMost, round, ...rest } = charge
  allSaid(rest, {})
  const charging: Charging = { charge, ...ofTerms, resolver }
  const one = (key: string, label: string, value: string | undefined, typed?: TypedFigure): WordedStatement[] =>
    value === undefined ? [] : [figure(key, label, value, typed)]
  const cents = (text: string | undefined) => centsFigure(text, resolver)
  return [
    ...(flat === undefined ? [] : [chargedStatement('flat', labelForTerm('amount', charging), flat, charging)]),
    ...one('whole', 'rate', whole && wholeWords(whole, amount), rateFigure(whole, resolver)),
    ...bandStatements(bands ?? [], above, charging),
    ...one('interpolate', 'rate', interpolate && interpolateWords(interpolate, amount)).map((said) => ({
      ...said,
      ...risingOf(interpolate!, undefined, charging),
    })),
    ...one('units', 'rate', units && unitsWords(units, resolver), unitsFigure(units, resolver)),
    ...(table ? tableStatements(table, charging) : []),
    ...(greatestOf ?? []).map((offer, at, all) => offerStatement(offer, nthLabel(offer, at, all), at, charging)),
    ...lessStatements(less ?? [], resolver),
    ...one('atLeast', 'at least', atLeast && amount(atLeast), cents(atLeast)),
    ...one('atMost', 'at most', atMost && amount(atMost), cents(atMost)),
    ...one('round', 'rounded', round && roundWords(round, resolver)),
  ]
}

/** The deduction of a charge; as data when it is a single amount. */
function lessStatements(less: readonly string[], resolver: Resolver): WordedStatement[] {
  if (less.length === 0) return []
  const typed = less.length === 1 ? centsFigure(less[0], resolver) : undefined
  const parts = less.map(resolver.amount)
  return [{ ...figure('less', 'less', parts.join(', '), typed), parts }]
}

function offerStatement({ label, amount }: Offer, nth: string, at: number, charging: Charging): WordedStatement {
  const said = chargedStatement(`of.${nth}`, labelForTerm(label, charging), amount, charging)
  return { ...said, path: `greatestOf[${at}]` }
}

/** A label with the number of earlier offers that have the same label, because two offers may share one. */
const nthLabel = ({ label }: Offer, at: number, all: readonly Offer[]): string =>
  `${label}#${all.slice(0, at).filter((one) => one.label === label).length}`
