import type { Charge, Offer } from '../engine/grammar/charge.ts'
import type { TermFactor } from '../engine/grammar/rule.ts'
import type { Resolver } from './amounts.ts'
import { chargedFigure, chargedWords, labelForTerm, type Charging } from './as-charged.ts'
import { bandStatements } from './band-statements.ts'
import {
  centsFigure,
  interpolateWords,
  rateFigure,
  roundWords,
  unitsFigure,
  unitsWords,
  wholeWords,
} from './rate-words.ts'
import { allSaid, figure, type Said, type TypedFigure } from './said.ts'
import { tableStatements } from './table-statements.ts'

/** What the words of a charge depend on beside itself. */
export interface ChargeAround {
  /** For which it is said. */
  term: TermFactor | undefined
  /** The amount above which it applies; undefined where it applies from 0. */
  above: string | undefined
}

/** What a charge says, figure by figure. */
export function chargeStatements(charge: Charge, resolver: Resolver, { term, above }: ChargeAround): Said[] {
  const { amount } = resolver
  const { flat, whole, bands, interpolate, units, table, greatestOf, less, atLeast, atMost, round, ...rest } = charge
  allSaid(rest, {})
  const charging: Charging = { charge, term, resolver }
  const one = (key: string, label: string, value: string | undefined, typed?: TypedFigure): Said[] =>
    value === undefined ? [] : [figure(key, label, value, typed)]
  const cents = (text: string | undefined) => centsFigure(text, resolver)
  return [
    ...one(
      'flat',
      labelForTerm('amount', charging),
      flat && chargedWords(flat, charging),
      chargedFigure(flat, charging),
    ),
    ...one('whole', 'rate', whole && wholeWords(whole, amount), rateFigure(whole, resolver)),
    ...bandStatements(bands ?? [], above, charging),
    ...one('interpolate', 'rate', interpolate && interpolateWords(interpolate, amount)),
    ...one('units', 'rate', units && unitsWords(units, resolver), unitsFigure(units, resolver)),
    ...(table ? tableStatements(table, charging) : []),
    ...(greatestOf ?? []).map((offer, at, all) => offerStatement(offer, nthLabel(offer, at, all), at, charging)),
    ...lessStatements(less ?? [], resolver),
    ...one('atLeast', 'at least', atLeast && amount(atLeast), cents(atLeast)),
    ...one('atMost', 'at most', atMost && amount(atMost), cents(atMost)),
    ...one('round', 'rounded', round && roundWords(round, resolver)),
  ]
}

/** What is taken off: data where it is one amount. */
function lessStatements(less: readonly string[], resolver: Resolver): Said[] {
  if (less.length === 0) return []
  const typed = less.length === 1 ? centsFigure(less[0], resolver) : undefined
  const parts = less.map(resolver.amount)
  return [{ ...figure('less', 'less', parts.join(', '), typed), parts }]
}

function offerStatement({ label, amount }: Offer, nth: string, at: number, charging: Charging): Said {
  const typed = chargedFigure(amount, charging)
  const said = figure(`of.${nth}`, labelForTerm(label, charging), chargedWords(amount, charging), typed)
  return { ...said, path: `greatestOf[${at}]` }
}

/** A label with how many have it before: two offers may have one label. */
const nthLabel = ({ label }: Offer, at: number, all: readonly Offer[]): string =>
  `${label}#${all.slice(0, at).filter((one) => one.label === label).length}`
