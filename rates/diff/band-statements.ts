import type { Band } from '../engine/grammar/charge.ts'
import type { Resolver } from './amounts.ts'
import { chargedFigure, chargedWords, labelForTerm, type Charging } from './as-charged.ts'
import { centsFigure, excessWords, interpolateWords, rateFigure, wholeWords } from './rate-words.ts'
import { allSaid, figure, type Said, type TypedFigure } from './said.ts'

/** What the bands of a charge say: the range of each, and what is charged within it. `above`: where the first begins. */
export function bandStatements(bands: readonly Band[], above: string | undefined, charging: Charging): Said[] {
  return bands.flatMap((band, at) =>
    ofBand(band, at, { from: bands[at - 1]?.upTo ?? above, next: bands[at + 1], charging }),
  )
}

interface BandAround {
  /** The amount above which the band begins; undefined where it begins at 0. */
  from: string | undefined
  next: Band | undefined
  charging: Charging
}

function ofBand({ upTo, ...band }: Band, at: number, { from, next, charging }: BandAround): Said[] {
  const { amount } = charging.resolver
  const key = `bands[${at}]`
  const range = rangeWords(from && amount(from), upTo && amount(upTo))
  const words = bandWords(band, charging)
  const label = band.flat === undefined ? range : labelForTerm(range, charging)
  const told = toldEdge(words, range, { next, upTo, charging })
  return [...edge(upTo, { key, words, told, charging }), figure(key, label, words, bandFigure(band, charging))]
}

interface EdgeAround {
  key: string
  words: string
  told: NonNullable<Said['told']>
  charging: Charging
}

/** Where a band ends. */
function edge(upTo: string | undefined, { key, words, told, charging }: EdgeAround): Said[] {
  if (upTo === undefined) return []
  const { resolver } = charging
  const said = figure(`${key}.upTo`, `${words}, up to`, resolver.amount(upTo), centsFigure(upTo, resolver))
  return [{ ...said, told }]
}

interface Edge {
  /** The band that begins at the edge. */
  next: Band | undefined
  upTo: string | undefined
  charging: Charging
}

/**
 * What a reader is told of an edge: the whole range, `$8.40 for each $200 or part: $80,809 to $100,000`. Of a band in which
 * nothing is charged, what is charged beyond: `33 % of the excess: above $80,809`.
 */
function toldEdge(words: string, range: string, { next, upTo, charging }: Edge): NonNullable<Said['told']> {
  if (words !== NOTHING || !next || upTo === undefined) return { label: words, value: range }
  const { amount } = charging.resolver
  const { upTo: end, ...band } = next
  return { label: bandWords(band, charging), value: rangeWords(amount(upTo), end && amount(end)) }
}

const NOTHING = '$0'

/** `$80,809 to $100,000`: both ends, where there are two, and something lies between. */
function rangeWords(from: string | undefined, upTo: string | undefined): string {
  if (from === undefined || from === upTo) return upTo === undefined ? 'any amount' : `up to ${upTo}`
  return upTo === undefined ? `above ${from}` : `${from} to ${upTo}`
}

function bandWords({ flat, whole, excess, interpolate, ...rest }: Omit<Band, 'upTo'>, charging: Charging): string {
  allSaid(rest, {})
  const { amount }: Pick<Resolver, 'amount'> = charging.resolver
  if (flat !== undefined) return chargedWords(flat, charging)
  if (whole) return wholeWords(whole, amount)
  if (interpolate) return interpolateWords(interpolate, amount)
  return excess ? excessWords(excess, amount) : ''
}

/** An excess with an amount beside the rate is two numbers. */
function bandFigure({ flat, whole, excess }: Omit<Band, 'upTo'>, charging: Charging): TypedFigure | undefined {
  if (flat !== undefined) return chargedFigure(flat, charging)
  return excess?.plus === undefined ? rateFigure(whole ?? excess, charging.resolver) : undefined
}
