import { centsOf } from '../engine/compile/amount.ts'
import { toCents } from '../engine/exact.ts'
import { BOOLEAN_FACTS, DATE_FACTS, NUMBER_FACTS, type LineKind } from '../engine/grammar/facts.ts'
import type { Given } from '../engine/grammar/rate-set.ts'
import type { QuoteRequest, RequestLine, Vehicle } from '../engine/request.ts'

/** Dollars, as people write them, in integer cents. */
export const wholeCents = (dollars: string): number => toCents(centsOf(dollars))

/** The body of a quote for an ISO date, with the inputs of a worked example or a case. */
export function requestOf(given: Given, pricingCode: string, date: string): QuoteRequest {
  const { termMonths, registrationType, postcode, customerType, usageType, concession } = given
  const { listPrice, marketValue, lctPreviouslyPaid, additional, gst } = given
  return {
    pricingCode,
    showroomCode: '',
    purchaseDate: date,
    vehicleGeneric: vehicleOf(given),
    pricingInputs: {
      dutiable: linesOf(given),
      ...defined({ additional }, (lines) => lines.map(lineOf)),
      ...defined({ listPrice, marketValue, lctPreviouslyPaid }, wholeCents),
      ...defined({ gst }),
    },
    registration: { startDate: date, ...defined({ termMonths }), ...defined({ type: registrationType, postcode }) },
    customer: {
      ...defined({ customerType, usageType }),
      ...(concession !== undefined && { concession: { hasConcession: true, type: concession } }),
    },
    taxDatePolicy: { outOfRange: 'error' },
  }
}

const lineOf = ({ kind, value }: { kind: string; value: string }): RequestLine => ({
  description: kind,
  value: wholeCents(value),
  kind: kind as LineKind,
})

function linesOf({ dutiable, lines = [] }: Given): RequestLine[] {
  const own = lines.map(lineOf)
  const price = dutiable ?? (own.length === 0 ? '0' : undefined)
  return price === undefined ? own : [{ description: 'vehicle', value: wholeCents(price), kind: 'vehicle' }, ...own]
}

function vehicleOf(given: Given): Vehicle {
  const words = ['bodyType', 'fuelType', 'condition', ...BOOLEAN_FACTS, ...DATE_FACTS] as const
  const measures = NUMBER_FACTS.filter((fact) => fact !== 'termMonths')
  return { ...defined(chosen(given, words)), ...defined(chosen(given, measures), Number) }
}

const chosen = <K extends keyof Given>(given: Given, facts: readonly K[]) =>
  Object.fromEntries(facts.map((fact) => [fact, given[fact]])) as Record<string, NonNullable<Given[K]> | undefined>

/** The keys that have a value, with each value converted. */
function defined<V, R = V>(
  from: Record<string, V | undefined>,
  turn: (value: V) => R = (value) => value as never,
): Record<string, R> {
  const present = Object.entries(from).filter((entry): entry is [string, V] => entry[1] !== undefined)
  return Object.fromEntries(present.map(([key, value]) => [key, turn(value)]))
}
