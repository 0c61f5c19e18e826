import type {
  Band,
  Charge,
  Excess,
  Interpolate,
  Offer,
  Round,
  Row,
  Table,
  Units,
  Whole,
} from '../engine/grammar/charge.ts'
import type { TermFactor } from '../engine/grammar/rule.ts'
import { money, type Resolver } from './amounts.ts'
import { flatLabel, flatWords } from './as-charged.ts'

/** One thing that a set says: what of it, recognised by a key, and how much or what, in words. */
export interface Said {
  key: string
  label: string
  value: string
  /** A figure; else what decides which figure applies, or what it rests on. */
  about: 'figure' | 'terms' | 'evidence'
  /** Where it stands, within the part that says it. */
  path?: string
  /** The figure as data, where it is one number. */
  figure?: TypedFigure | undefined
}

/** One number with its unit; exact decimals. */
export interface TypedFigure {
  unit: 'cents' | 'percent' | 'number'
  value: string
  /** What a rate is for: so many cents of the basis, or so much of a fact. */
  per?: { amount: string; of: string }
}

/** Why nothing is said of a key: it is only words, it says on which days the others hold, or it is what they are said of. */
type Unsaid = 'words' | 'days' | 'subject'

/**
 * What is left of an object when every key was taken out by name: only what is named here. A key that the grammar gains,
 * and that nobody says anything of, is an error of types at each call.
 */
export const allSaid = <Rest extends object>(_rest: Rest, _unsaid: Readonly<Record<keyof Rest, Unsaid>>): void =>
  undefined

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
  const one = (key: string, label: string, value: string | undefined, typed?: TypedFigure): Said[] =>
    value === undefined ? [] : [figure(key, label, value, typed)]
  const cents = (text: string | undefined) => centsFigure(text, resolver)
  return [
    ...one('flat', flatLabel(term), flat && flatWords(charge, term, resolver), cents(flat)),
    ...one('whole', 'rate', whole && wholeWords(whole, amount), rateFigure(whole, resolver)),
    ...(bands ?? []).flatMap((band, at, all) =>
      bandStatements(band, at, { from: all[at - 1]?.upTo ?? above, resolver }),
    ),
    ...one('interpolate', 'rate', interpolate && interpolateWords(interpolate, amount)),
    ...one('units', 'rate', units && unitsWords(units, amount), unitsFigure(units, resolver)),
    ...(table ? tableStatements(table, resolver) : []),
    ...(greatestOf ?? []).map((offer, at, all) => ({
      ...figure(`of.${nthLabel(offer, at, all)}`, offer.label, amount(offer.amount), cents(offer.amount)),
      path: `greatestOf[${at}]`,
    })),
    ...one('less', 'less', less?.map(amount).join(', ')),
    ...one('atLeast', 'at least', atLeast && amount(atLeast), cents(atLeast)),
    ...one('atMost', 'at most', atMost && amount(atMost), cents(atMost)),
    ...one('round', 'rounded', round && roundWords(round)),
  ]
}

type Amount = Resolver['amount']

/** A label with how many have it before: two offers may have one label. */
const nthLabel = ({ label }: Offer, at: number, all: readonly Offer[]): string =>
  `${label}#${all.slice(0, at).filter((one) => one.label === label).length}`

const figure = (key: string, label: string, value: string, typed?: TypedFigure): Said => ({
  ...{ key, label, value, about: 'figure', path: key },
  figure: typed,
})

/** Cents of an amount; nothing where the text is none. */
function centsFigure(text: string | undefined, { cents }: Resolver): TypedFigure | undefined {
  const value = text === undefined ? undefined : cents(text)
  return value === undefined ? undefined : { unit: 'cents', value }
}

const withPer = (typed: TypedFigure | undefined, per: NonNullable<TypedFigure['per']>) => typed && { ...typed, per }

function unitsFigure(units: Units | undefined, resolver: Resolver): TypedFigure | undefined {
  return units && withPer(centsFigure(units.rate, resolver), { amount: units.per, of: units.of })
}

function rateFigure(rate: Whole | undefined, resolver: Resolver): TypedFigure | undefined {
  if (rate?.percent !== undefined) return { unit: 'percent', value: rate.percent }
  const amount = rate?.per === undefined ? undefined : resolver.cents(rate.per)
  return amount === undefined ? undefined : withPer(centsFigure(rate?.rate, resolver), { amount, of: 'cents' })
}

/** An excess with an amount beside the rate is two numbers. */
function bandFigure({ flat, whole, excess }: Omit<Band, 'upTo'>, resolver: Resolver): TypedFigure | undefined {
  if (flat !== undefined) return centsFigure(flat, resolver)
  return excess?.plus === undefined ? rateFigure(whole ?? excess, resolver) : undefined
}

export function roundWords({ to, mode = 'halfUp', ...rest }: Round): string {
  allSaid(rest, {})
  return `to ${money(to)}, ${modeWords(mode)}`
}

const modeWords = (mode: string) => (mode === 'halfUp' ? 'half up' : mode)

function unitsWords({ rate, per, of, part, ...rest }: Units, amount: Amount): string {
  allSaid(rest, {})
  return `${amount(rate)} for each ${per} of ${of}, part ${part}`
}

function wholeWords({ rate, per, percent, ...rest }: Whole, amount: Amount): string {
  allSaid(rest, {})
  if (percent !== undefined) return `${percent} %`
  return `${amount(rate ?? '')} for each ${amount(per ?? '')} or part`
}

function interpolateWords(
  { percent, above, divisor, decimals, mode = 'halfUp', ...rest }: Interpolate,
  amount: Amount,
) {
  allSaid(rest, {})
  return `${percent} % + (value − ${amount(above)}) / ${divisor} %, to ${decimals} places, ${modeWords(mode)}`
}

interface BandAround {
  /** The amount above which the band begins; undefined where it begins at 0. */
  from: string | undefined
  resolver: Resolver
}

function bandStatements({ upTo, ...band }: Band, at: number, { from, resolver }: BandAround): Said[] {
  const { amount } = resolver
  const key = `bands[${at}]`
  const label = bandLabel(from && amount(from), upTo && amount(upTo))
  const edge =
    upTo === undefined
      ? []
      : [figure(`${key}.upTo`, `edge of band ${at + 1}`, amount(upTo), centsFigure(upTo, resolver))]
  return [...edge, figure(key, label, bandWords(band, amount), bandFigure(band, resolver))]
}

/** `$80,809 to $100,000`: both ends, where there are two. */
function bandLabel(from: string | undefined, upTo: string | undefined): string {
  if (from === undefined) return upTo === undefined ? 'any amount' : `up to ${upTo}`
  return upTo === undefined ? `above ${from}` : `${from} to ${upTo}`
}

function bandWords({ flat, whole, excess, interpolate, ...rest }: Omit<Band, 'upTo'>, amount: Amount): string {
  allSaid(rest, {})
  if (flat !== undefined) return amount(flat)
  if (whole) return wholeWords(whole, amount)
  if (interpolate) return interpolateWords(interpolate, amount)
  return excess ? excessWords(excess, amount) : ''
}

function excessWords({ plus, ...whole }: Excess, amount: Amount): string {
  return `${wholeWords(whole, amount)} of the excess${plus === undefined ? '' : ` plus ${amount(plus)}`}`
}

function tableStatements({ fact, zone, columns, rows, ...rest }: Table, resolver: Resolver): Said[] {
  allSaid(rest, {})
  const order = rows.map((row) => row.class ?? row.zone ?? '…').join(', ')
  const by = [
    fact && `by ${fact}`,
    zone && `by zone of ${zone}`,
    columns && `columns ${columns.join(', ')}`,
    `rows ${order}`,
  ]
  const shape: Said = { key: 'table', label: 'table', value: by.filter(Boolean).join('; '), about: 'terms' }
  return [shape, ...rows.flatMap((row, at) => rowStatements(row, at, { fact, columns }, resolver))]
}

function rowStatements(
  row: Row,
  at: number,
  { fact, columns }: Pick<Table, 'fact' | 'columns'>,
  resolver: Resolver,
): Said[] {
  const { upTo, class: ofClass, zone, amounts, evidence, ...rest } = row
  allSaid(rest, { warning: 'words' })
  const key = `rows[${ofClass ?? zone ?? at}]`
  const place = `table.rows[${at}]`
  const edge =
    upTo === undefined
      ? []
      : [
          {
            ...figure(`${key}.upTo`, `edge of row ${at + 1}`, upTo, { unit: 'number', value: upTo }),
            path: `${place}.upTo`,
          },
        ]
  const cells = amounts.map((cell, column) => {
    const label = [rowLabel(row, fact), columns?.[column]].filter(Boolean).join(', ')
    const value = cell === '-' ? 'not published' : resolver.amount(cell)
    const typed = cell === '-' ? undefined : centsFigure(cell, resolver)
    const said = figure(`${key}.${columns?.[column] ?? column}`, label, value, typed)
    return { ...said, path: `${place}.amounts[${column}]` }
  })
  const label = `${rowLabel(row, fact)}: evidence`
  const grade = evidence ? [{ key: `${key}.evidence`, label, value: evidence, about: 'evidence' as const }] : []
  return [...edge, ...cells, ...grade]
}

function rowLabel(row: Row, fact: string | undefined): string {
  const edge = row.upTo === undefined ? 'above' : `up to ${row.upTo}`
  // The last row of a table by class or by zone has neither, and no fact.
  return row.class ?? row.zone ?? (fact === undefined ? 'otherwise' : `${fact} ${edge}`)
}
