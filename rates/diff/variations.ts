import { addYears, dayOf, isoOf } from '../engine/dates.ts'
import { CUSTOMER_TYPES, NUMBER_FACTS, USAGE_TYPES } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { QuoteRequest, Vehicle } from '../engine/request.ts'
import type { JurisdictionYear } from '../engine/summaries.ts'
import { concessionsOfYear } from '../engine/year-listings.ts'

/** One change of a request, and its words. */
interface Variation {
  words: string
  change: (base: QuoteRequest) => QuoteRequest
}

/** What a portfolio varies on a day, one thing at a time; each concession is also combined with each term. */
export function variations(year: JurisdictionYear, spec: RateSetSpec, day: string): Variation[] {
  const registered = (words: string, part: object): Variation => {
    return { words, change: (base) => ({ ...base, registration: { ...base.registration, ...part } }) }
  }
  const customer = (words: string, part: object): Variation => ({
    words,
    change: (base) => ({ ...base, customer: part }),
  })
  const measured = ([fact, value]: readonly [string, number]): Variation => ({
    words: `${fact} ${value}`,
    change: (base) => ({ ...base, vehicleGeneric: { ...base.vehicleGeneric, [fact]: value } }),
  })
  const transfers = year.registrationTypes.some(({ type }) => type === 'transfer')
  return [
    ...year.terms.map((termMonths) => registered(`${termMonths} months`, { termMonths })),
    ...postcodesOf(spec).map((postcode) => registered(`postcode ${postcode}`, { postcode })),
    ...(transfers ? [{ words: 'transferred', change: (base: QuoteRequest) => transferred(base, day) }] : []),
    ...CUSTOMER_TYPES.map((customerType) => customer(`for ${customerType}`, { customerType })),
    ...USAGE_TYPES.map((usageType) => customer(`used as ${usageType}`, { usageType })),
    ...concessionsOfYear(year).flatMap(({ type }) => {
      const conceded = customer(type, { concession: { hasConcession: true, type } })
      return [
        conceded,
        ...year.terms.map((months) => both(conceded, registered(`${months} months`, { termMonths: months }))),
      ]
    }),
    ...factEdges(spec).map(measured),
    ...missingFacts(day),
    ...otherValues(transfers, day),
  ]
}

const both = (one: Variation, other: Variation): Variation => ({
  words: `${one.words}, ${other.words}`,
  change: (base) => other.change(one.change(base)),
})

/** Each fact that a client may omit, for a new vehicle, or for a used one when only used vehicles have the fact. */
function missingFacts(day: string): Variation[] {
  const used: Variation = { words: 'used', change: (base) => usedRequest(base, day) }
  const facts: (keyof Vehicle)[] = [...MEASURED, 'bodyType', 'fuelType'] as (keyof Vehicle)[]
  return [
    ...facts.map(without),
    ...(['manufactureDate', 'firstRegisteredDate', 'previouslyRegistered'] as const).map((fact) =>
      both(used, without(fact)),
    ),
  ]
}

const without = (fact: keyof Vehicle): Variation => ({
  words: `without ${fact}`,
  change: ({ vehicleGeneric: { [fact]: _, ...others } = {}, ...base }) => ({ ...base, vehicleGeneric: others }),
})

/**
 * A list price and a market value below and above the price, because a duty may be charged on the greater of two
 * values.
 */
function otherValues(transfers: boolean, day: string): Variation[] {
  const valued = (name: 'listPrice' | 'marketValue', percent: number): Variation => ({
    words: `${name} of ${percent} % of the price`,
    change: ({ pricingInputs, ...base }) => {
      const value = Math.round(((pricingInputs.dutiable[0]?.value ?? 0) * percent) / 100)
      return { ...base, pricingInputs: { ...pricingInputs, [name]: value } }
    },
  })
  const all = [90, 110].flatMap((percent) => [valued('listPrice', percent), valued('marketValue', percent)])
  const transfer: Variation = { words: 'transferred', change: (base) => transferred(base, day) }
  return [...all, ...(transfers ? all.map((one) => both(transfer, one)) : [])]
}

/** A postcode of each zone, and the first and last postcode at both ends of its ranges. */
const postcodesOf = ({ zones = [] }: RateSetSpec): string[] => [
  ...new Set(
    zones.flatMap(({ values }) =>
      values.flatMap(({ postcodes }) => postcodes.slice(0, 2).map((one) => one.slice(0, 4))),
    ),
  ),
]

/**
 * Values of number facts on both sides of every edge that a set has for them, in rows of tables and bounds of tests.
 */
function factEdges({ rules, classes }: RateSetSpec): [string, number][] {
  const edges = [...edgesBelow(rules), ...edgesBelow(classes)]
  const values = edges.flatMap(([fact, edge]): [string, number][] => {
    const step = edge.includes('.') ? 0.1 : 1
    return [Number(edge), Number(edge) + step, Number(edge) - step].map((value) => [fact, value])
  })
  const once = new Map(values.filter(([, value]) => value >= 0).map((each) => [each.join(' '), each]))
  return [...once.values()]
}

const MEASURED: readonly string[] = NUMBER_FACTS.filter((fact) => fact !== 'termMonths' && fact !== 'year')

function edgesBelow(node: unknown): [fact: string, edge: string][] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.entries(node).flatMap(([key, value]): [string, string][] =>
    MEASURED.includes(key) ? Object.values((value ?? {}) as object).map((edge) => [key, String(edge)]) : [],
  )
  return [...own, ...rowEdges(node), ...Object.values(node).flatMap(edgesBelow)]
}

function rowEdges({ fact, rows = [] }: { fact?: string; rows?: { upTo?: string }[] }): [string, string][] {
  if (fact === undefined) return []
  return rows.flatMap(({ upTo }): [string, string][] => (upTo === undefined ? [] : [[fact, upTo]]))
}

/** The same vehicle three years old. */
export function usedRequest(base: QuoteRequest, day: string): QuoteRequest {
  const born = isoOf(addYears(dayOf(day), -3))
  const history = { manufactureDate: born, firstRegisteredDate: born, previouslyRegistered: true }
  return { ...base, vehicleGeneric: { ...base.vehicleGeneric, ...history, condition: 'used' } }
}

function transferred(base: QuoteRequest, day: string): QuoteRequest {
  const used = usedRequest(base, day)
  return { ...used, registration: { ...used.registration, type: 'transfer' } }
}
