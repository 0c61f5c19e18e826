import type { Band, Charge, Excess, Interpolate, Row, Table, Whole } from '../engine/grammar/charge.ts'
import { money, type Resolver } from './amounts.ts'

/** One thing that a set says: what of it, recognised by a key, and how much or what, in words. */
export interface Said {
  key: string
  label: string
  value: string
  /** A figure; else what decides which figure applies, or what it rests on. */
  about: 'figure' | 'terms' | 'evidence'
}

/** What a charge says, figure by figure. */
export function chargeStatements(charge: Charge, { amount }: Resolver): Said[] {
  const { flat, whole, bands, interpolate, units, table, greatestOf, less, atLeast, atMost, round } = charge
  const one = (key: string, label: string, value: string | undefined): Said[] =>
    value === undefined ? [] : [figure(key, label, value)]
  return [
    ...one('flat', 'amount', flat && amount(flat)),
    ...one('whole', 'rate', whole && wholeWords(whole, amount)),
    ...(bands ?? []).flatMap((band, at) => bandStatements(band, at, amount)),
    ...one('interpolate', 'rate', interpolate && interpolateWords(interpolate, amount)),
    ...one('units', 'rate', units && `${amount(units.rate)} for each ${units.per} of ${units.of}, part ${units.part}`),
    ...(table ? tableStatements(table, amount) : []),
    ...(greatestOf ?? []).map((offer) => figure(`of.${offer.label}`, offer.label, amount(offer.amount))),
    ...one('less', 'less', less?.map(amount).join(', ')),
    ...one('atLeast', 'at least', atLeast && amount(atLeast)),
    ...one('atMost', 'at most', atMost && amount(atMost)),
    ...one('round', 'rounded', round && roundWords(round)),
  ]
}

type Amount = Resolver['amount']

const figure = (key: string, label: string, value: string): Said => ({ key, label, value, about: 'figure' })

export const roundWords = ({ to, mode = 'halfUp' }: { to: string; mode?: string | undefined }) =>
  `to ${money(to)}, ${mode === 'halfUp' ? 'half up' : mode}`

function wholeWords({ rate, per, percent }: Whole | Excess, amount: Amount): string {
  if (percent !== undefined) return `${percent} %`
  return `${amount(rate ?? '')} for each ${amount(per ?? '')} or part`
}

function interpolateWords({ percent, above, divisor, decimals }: Interpolate, amount: Amount): string {
  return `${percent} % + (value − ${amount(above)}) / ${divisor} %, to ${decimals} places`
}

function bandStatements(band: Band, at: number, amount: Amount): Said[] {
  const { upTo } = band
  const key = `bands[${at}]`
  const label = `band ${at + 1}${upTo === undefined ? ', the last' : `, up to ${amount(upTo)}`}`
  const edge = upTo === undefined ? [] : [figure(`${key}.upTo`, `edge of band ${at + 1}`, amount(upTo))]
  return [...edge, figure(key, label, bandWords(band, amount))]
}

function bandWords({ flat, whole, excess, interpolate }: Band, amount: Amount): string {
  if (flat !== undefined) return amount(flat)
  if (whole) return wholeWords(whole, amount)
  if (interpolate) return interpolateWords(interpolate, amount)
  const plus = excess?.plus === undefined ? '' : ` plus ${amount(excess.plus)}`
  return excess ? `${wholeWords(excess, amount)} of the excess${plus}` : ''
}

function tableStatements({ fact, columns, rows }: Table, amount: Amount): Said[] {
  return rows.flatMap((row, at) => {
    const key = `rows[${row.class ?? row.zone ?? at}]`
    const edge = row.upTo === undefined ? [] : [figure(`${key}.upTo`, `edge of row ${at + 1}`, row.upTo)]
    const cells = row.amounts.map((cell, column) => {
      const label = [rowLabel(row, fact), columns?.[column]].filter(Boolean).join(', ')
      return figure(`${key}.${columns?.[column] ?? column}`, label, cell === '-' ? 'not published' : amount(cell))
    })
    const grade = row.evidence
      ? [
          {
            key: `${key}.evidence`,
            label: `${rowLabel(row, fact)}: evidence`,
            value: row.evidence,
            about: 'evidence' as const,
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
