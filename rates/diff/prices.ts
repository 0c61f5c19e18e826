import { PricingFault, type Quote } from '../engine/answer.ts'
import { financialYearOf, dayOf } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { quote } from '../engine/quote/quote.ts'
import type { QuoteRequest } from '../engine/request.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { edgePrices } from './edge-prices.ts'
import { pricedVehicles, variedVehicles, type PortfolioRequest, type Portfolio } from './portfolio.ts'

/** The rates of one side of the comparison: a snapshot and an ISO day. */
export interface Side {
  snapshot: Snapshot
  day: string
}

/** Quotes in which one component differs; cents, null when there is no line or no quote. */
export interface PriceEffect {
  pricingCode: string
  /** Day of the quotes, ISO. */
  from: string
  /** The component; `gst:CTP` when only the GST in its line differs. */
  component: string
  /** How many quotes differ. */
  quotes: number
  of: number
  /** Lowest and highest difference in cents. */
  least: number
  most: number
  /** The quote with the largest difference, up or down. */
  largest: { vehicle: string; before: number | null; after: number | null; driveAway: [number | null, number | null] }
}

interface Asking {
  pricingCode: string
  before: Side
  after: Side
  /** The set that prices on the new side. */
  spec: RateSetSpec
  portfolio: Portfolio
}

/** Prices the portfolio on both sides; the differences by component, largest first. */
export function priceEffects(asking: Asking): PriceEffect[] {
  const all = requestsOf(asking)
  const effects = new Map<string, PriceEffect>()
  for (const one of all) compareQuotes(one, all.length, asking, effects)
  return [...effects.values()].sort((a, b) => size(b) - size(a))
}

const size = ({ least, most }: PriceEffect) => Math.max(Math.abs(least), Math.abs(most))

function requestsOf({ pricingCode, before, after, spec, portfolio }: Asking): PortfolioRequest[] {
  const edgesOf = (request: QuoteRequest) => [
    ...edgePrices(dated(request, before.day), before.snapshot),
    ...edgePrices(request, after.snapshot),
  ]
  const year = after.snapshot.jurisdictions[pricingCode]?.years[financialYearOf(dayOf(after.day))]
  return [
    ...pricedVehicles(pricingCode, after.day, portfolio, edgesOf),
    ...(year ? variedVehicles(year, spec, after.day, portfolio) : []),
  ]
}

const dated = (request: QuoteRequest, day: string): QuoteRequest =>
  request.registration.startDate === day
    ? request
    : { ...request, purchaseDate: day, registration: { ...request.registration, startDate: day } }

function compareQuotes(one: PortfolioRequest, of: number, asking: Asking, effects: Map<string, PriceEffect>): void {
  const { pricingCode, before, after } = asking
  const was = priced(dated(one.request, before.day), before.snapshot)
  const is = priced(one.request, after.snapshot)
  const keys = new Set([...was.lines.keys(), ...is.lines.keys()])
  for (const component of keys) {
    const old = was.lines.get(component) ?? null
    const now = is.lines.get(component) ?? null
    if (old === now || isOfOtherLine(component, was, is)) continue
    const difference = (now ?? 0) - (old ?? 0)
    const driveAway: [number | null, number | null] = [was.driveAway, is.driveAway]
    const known = effects.get(component)
    const effect: PriceEffect = known ?? {
      pricingCode,
      from: after.day,
      component,
      quotes: 0,
      of,
      least: difference,
      most: difference,
      largest: { vehicle: one.words, before: old, after: now, driveAway },
    }
    effects.set(component, effect)
    effect.quotes++
    if (Math.abs(difference) > size(effect)) effect.largest = { vehicle: one.words, before: old, after: now, driveAway }
    effect.least = Math.min(effect.least, difference)
    effect.most = Math.max(effect.most, difference)
  }
}

/** Prefix for the GST in the line of a component, also used in worked examples. */
const GST_IN = 'gst:'

/** Whether the difference is in the GST of a line that differs itself. */
function isOfOtherLine(name: string, { lines: were }: Priced, { lines: are }: Priced): boolean {
  const component = name.replace(GST_IN, '')
  return component !== name && were.get(component) !== are.get(component)
}

interface Priced {
  /** Cents by component, and the GST in each line. */
  lines: ReadonlyMap<string, number>
  driveAway: number | null
}

/** The charges of a quote by component; none for a refused quote. */
function priced(request: QuoteRequest, snapshot: Snapshot): Priced {
  try {
    const { categories, totals }: Quote = quote(request, snapshot)
    return {
      lines: new Map(
        categories.onRoad.flatMap(({ component, value, tax }) => [
          [component, value],
          [`${GST_IN}${component}`, tax.amount],
        ]),
      ),
      driveAway: totals.driveAway,
    }
  } catch (error) {
    if (!(error instanceof PricingFault)) throw error
    return { lines: new Map(), driveAway: null }
  }
}
