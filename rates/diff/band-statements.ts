import type { Band } from '../engine/grammar/charge.ts'
import { parametersIn, type Resolver } from './amounts.ts'
import { chargedFigure, chargedWords, lineOf, termWords, type Charging } from './as-charged.ts'
import { chargeOn } from './charge-on.ts'
import { risingOf } from './interpolated.ts'
import { rangeWords, type Range } from './ranges.ts'
import { centsFigure, excessWords, interpolateWords, rateFigure, wholeWords } from './rate-words.ts'
import { allSaid, figure, inPlace, placesOf, type Place, type WordedStatement, type TypedFigure } from './said.ts'
import { bandEnd } from './thresholds.ts'

/**
 * The statements of a charge's bands: the range of each band, and the charge within it. `above` is where the first band
 * begins.
 */
export function bandStatements(
  bands: readonly Band[],
  above: string | undefined,
  charging: Charging,
): WordedStatement[] {
  const around = bands.map((band, at) => ({ range: rangeOf(band, bands[at - 1]?.upTo ?? above, charging), charging }))
  const places = placesOf(bands, (band, at) => bandPlace(band, around[at]!.range))
  return bands.flatMap((band, at) => inPlace(places[at]!, ofBand(band, at, { ...around[at]!, next: bands[at + 1] })))
}

/** For a text that names no parameter; such a set is refused before it is published. */
const NO_AMOUNT = '0'

function rangeOf({ upTo, excess }: Band, from: string | undefined, { resolver }: Charging): Range {
  const bound = (text: string) => ({ amount: resolver.cents(text) ?? NO_AMOUNT, words: resolver.amount(text) })
  return {
    of: '',
    isFromStart: excess !== undefined,
    ...(from !== undefined && { above: bound(from) }),
    ...(upTo !== undefined && { upTo: bound(upTo) }),
  }
}

/** A band is identified by its upper end as an amount, so that a moved edge is a change within the same charge. */
function bandPlace({ upTo }: Band, range: Range): Place {
  if (upTo === undefined) return { list: 'bands', name: 'rest', shape: 'rest', range }
  return { list: 'bands', name: range.upTo?.amount ?? upTo, shape: 'up to', range }
}

interface BandAround {
  range: Range
  next: Band | undefined
  charging: Charging
}

function ofBand(band: Band, at: number, { range, next, charging }: BandAround): WordedStatement[] {
  const path = `bands[${at}]`
  const words = bandWords(band, charging)
  const afterRange = band.flat === undefined ? '' : termWords(charging)
  const told = toldEdge({ ...band, words }, range, next, charging)
  const charged = figure('charged', `${rangeWords(range)}${afterRange}`, words, bandFigure(band, charging))
  const rising = band.interpolate && risingOf(band.interpolate, band.upTo, charging)
  const line = band.flat === undefined ? {} : lineOf(band.flat, charging)
  return [...edge(band.upTo, { path, words, told, charging }), { ...charged, path, afterRange, ...rising, ...line }]
}

interface EdgeAround {
  path: string
  words: string
  told: NonNullable<WordedStatement['told']>
  charging: Charging
}

/** The statement of a band's upper end. */
function edge(upTo: string | undefined, { path, words, told, charging }: EdgeAround): WordedStatement[] {
  if (upTo === undefined) return []
  const { resolver } = charging
  const said = figure('upTo', `${words}, up to`, resolver.amount(upTo), centsFigure(upTo, resolver))
  const end = bandEnd(resolver.cents(upTo), (amount) => chargeOn(amount, charging.charge, resolver))
  return [{ ...said, ...end, ...parametersIn([upTo], resolver), path: `${path}.upTo`, told, role: 'edge' }]
}

/**
 * The edge in words, with its range: `$8.40 for each $200 or part: $80,809 to $100,000`. For a
 * band without a charge, the charge beyond it: `33 % of the excess: above $80,809`.
 */
function toldEdge(
  { words, ...band }: Band & { words: string },
  range: Range,
  next: Band | undefined,
  charging: Charging,
): NonNullable<WordedStatement['told']> {
  if (!isFree(band, charging) || !next || !range.upTo) return { label: words, value: rangeWords(range) }
  const beyond = rangeOf(next, undefined, charging)
  return { label: bandWords(next, charging), value: rangeWords({ ...beyond, above: range.upTo }) }
}

/** Whether a band charges nothing. */
const isFree = ({ flat }: Band, charging: Charging): boolean => {
  const typed = chargedFigure(flat, charging)
  return (typed?.charged?.cents ?? typed?.value) === '0'
}

function bandWords({ flat, whole, excess, interpolate, ...rest }: Band, charging: Charging): string {
  allSaid(rest, { upTo: 'subject' })
  const { amount }: Pick<Resolver, 'amount'> = charging.resolver
  if (flat !== undefined) return chargedWords(flat, charging)
  if (whole) return wholeWords(whole, amount)
  if (interpolate) return interpolateWords(interpolate, amount)
  return excess ? excessWords(excess, amount) : ''
}

/** The figure of a band; undefined for an excess with a fixed amount, because that is two numbers. */
function bandFigure({ flat, whole, excess }: Band, charging: Charging): TypedFigure | undefined {
  if (flat !== undefined) return chargedFigure(flat, charging)
  return excess?.plus === undefined ? rateFigure(whole ?? excess, charging.resolver) : undefined
}
