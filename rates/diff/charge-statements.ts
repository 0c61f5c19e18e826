import type { Band, Charge, Excess, Interpolate, Row, Table, Whole } from '../engine/grammar/charge.ts'
import { money, type Resolver } from './amounts.ts'

/** One thing that a set says: what of it, recognised by a key, and how much or what, in words. */
export interface Said {
  key: string
  label: string
  value: string
  /** A figure; else what decides which figure applies, or what it rests on. */
  about: 'figure' | 'terms' | 'evidence'
  /** Where it stands in the set, within the part that says it. */
  path: string
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

/** What a charge says, figure by figure. */
export function chargeStatements(charge: Charge, resolver: Resolver): Said[] {
  const { amount } = resolver
  const { flat, whole, bands, interpolate, units, table, greatestOf, less, atLeast, atMost, round } = charge
  const one = (key: string, label: string, value: string | undefined, typed?: TypedFigure): Said[] =>
    value === undefined ? [] : [figure(key, label, value, typed)]
  const cents = (text: string | undefined) => centsFigure(text, resolver)
  return [
    ...one('flat', 'amount', flat && amount(flat), cents(flat)),
    ...one('whole', 'rate', whole && wholeWords(whole, amount), rateFigure(whole, resolver)),
    ...(bands ?? []).flatMap((band, at) => bandStatements(band, at, resolver)),
    ...one('interpolate', 'rate', interpolate && interpolateWords(interpolate, amount)),
    ...one(
      'units',
      'rate',
      units && `${amount(units.rate)} for each ${units.per} of ${units.of}, part ${units.part}`,
      unitsFigure(units, resolver),
    ),
    ...(table ? tableStatements(table, resolver) : []),
    ...(greatestOf ?? []).map((offer, at) => ({
      ...figure(`of.${offer.label}`, offer.label, amount(offer.amount), cents(offer.amount)),
      path: `greatestOf[${at}]`,
    })),
    ...one('less', 'less', less?.map(amount).join(', ')),
    ...one('atLeast', 'at least', atLeast && amount(atLeast), cents(atLeast)),
    ...one('atMost', 'at most', atMost && amount(atMost), cents(atMost)),
    ...one('round', 'rounded', round && roundWords(round)),
  ]
}

type Amount = Resolver['amount']

const figure = (key: string, label: string, value: string, typed?: TypedFigure): Said => ({
  ...{ key, label, value, about: 'figure', path: key },
  figure: typed,
})

/** Cents of an amount; nothing where the text is none. */
export function centsFigure(text: string | undefined, { cents }: Resolver): TypedFigure | undefined {
  const value = text === undefined ? undefined : cents(text)
  return value === undefined ? undefined : { unit: 'cents', value }
}

const withPer = (typed: TypedFigure | undefined, per: NonNullable<TypedFigure['per']>) => typed && { ...typed, per }

function unitsFigure(units: Charge['units'], resolver: Resolver): TypedFigure | undefined {
  return units && withPer(centsFigure(units.rate, resolver), { amount: units.per, of: units.of })
}

function rateFigure(rate: Whole | Excess | undefined, resolver: Resolver): TypedFigure | undefined {
  if (rate?.percent !== undefined) return { unit: 'percent', value: rate.percent }
  const amount = rate?.per === undefined ? undefined : resolver.cents(rate.per)
  return amount === undefined ? undefined : withPer(centsFigure(rate?.rate, resolver), { amount, of: 'cents' })
}

export const roundWords = ({ to, mode = 'halfUp' }: { to: string; mode?: string | undefined }) =>
  `to ${money(to)}, ${mode === 'halfUp' ? 'half up' : mode}`

function wholeWords({ rate, per, percent }: Whole | Excess, amount: Amount): string {
  if (percent !== undefined) return `${percent} %`
  return `${amount(rate ?? '')} for each ${amount(per ?? '')} or part`
}

function interpolateWords({ percent, above, divisor, decimals }: Interpolate, amount: Amount): string {
  return `${percent} % + (value − ${amount(above)}) / ${divisor} %, to ${decimals} places`
}

function bandStatements(band: Band, at: number, resolver: Resolver): Said[] {
  const { amount } = resolver
  const { upTo } = band
  const key = `bands[${at}]`
  const label = `band ${at + 1}${upTo === undefined ? ', the last' : `, up to ${amount(upTo)}`}`
  const edge =
    upTo === undefined
      ? []
      : [figure(`${key}.upTo`, `edge of band ${at + 1}`, amount(upTo), centsFigure(upTo, resolver))]
  return [...edge, figure(key, label, bandWords(band, amount), bandFigure(band, resolver))]
}

/** An excess with an amount beside the rate is two numbers. */
function bandFigure({ flat, whole, excess }: Band, resolver: Resolver): TypedFigure | undefined {
  if (flat !== undefined) return centsFigure(flat, resolver)
  return excess?.plus === undefined ? rateFigure(whole ?? excess, resolver) : undefined
}

function bandWords({ flat, whole, excess, interpolate }: Band, amount: Amount): string {
  if (flat !== undefined) return amount(flat)
  if (whole) return wholeWords(whole, amount)
  if (interpolate) return interpolateWords(interpolate, amount)
  const plus = excess?.plus === undefined ? '' : ` plus ${amount(excess.plus)}`
  return excess ? `${wholeWords(excess, amount)} of the excess${plus}` : ''
}

function tableStatements({ fact, columns, rows }: Table, resolver: Resolver): Said[] {
  const { amount } = resolver
  return rows.flatMap((row, at) => {
    const key = `rows[${row.class ?? row.zone ?? at}]`
    const place = `table.rows[${at}]`
    const upTo = row.upTo === undefined ? undefined : ({ unit: 'number', value: row.upTo } as const)
    const edge = upTo
      ? [{ ...figure(`${key}.upTo`, `edge of row ${at + 1}`, upTo.value, upTo), path: `${place}.upTo` }]
      : []
    const cells = row.amounts.map((cell, column) => {
      const label = [rowLabel(row, fact), columns?.[column]].filter(Boolean).join(', ')
      const value = cell === '-' ? 'not published' : amount(cell)
      const typed = cell === '-' ? undefined : centsFigure(cell, resolver)
      const said = figure(`${key}.${columns?.[column] ?? column}`, label, value, typed)
      return { ...said, path: `${place}.amounts[${column}]` }
    })
    const grade = row.evidence
      ? [
          {
            key: `${key}.evidence`,
            label: `${rowLabel(row, fact)}: evidence`,
            value: row.evidence,
            about: 'evidence' as const,
            path: `${place}.evidence`,
          },
        ]
      : []
    return [...edge, ...cells, ...grade]
  })
}

function rowLabel(row: Row, fact: string | undefined): string {
  const edge = row.upTo === undefined ? 'above' : `up to ${row.upTo}`
  // The last row of a table by class or by zone has neither, and no fact.
  return row.class ?? row.zone ?? (fact === undefined ? 'otherwise' : `${fact} ${edge}`)
}
