import { BOOLEAN_FACTS, DATE_FACTS, NUMBER_FACTS, type LineKind } from '../engine/grammar/facts.ts'
import type { Given } from '../engine/grammar/rate-set.ts'
import type { QuoteRequest, RequestLine, Vehicle } from '../engine/request.ts'

/** Whole cents of dollars as a person writes them. */
export function cents(dollars: string): number {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(dollars) ?? []
  if (whole === '') throw new Error(`${dollars} is not an amount of whole cents`)
  return Number(`${sign}${whole}${places.padEnd(2, '0')}`)
}

/** The body of a quote with the inputs of a case. */
export function requestOf(given: Given, pricingCode: string): QuoteRequest {
  if (given.date === undefined) throw new Error('a case has a date')
  const { date, termMonths, registrationType, postcode, customerType, usageType, concession } = given
  return {
    pricingCode,
    showroomCode: 'CASE01',
    purchaseDate: date,
    vehicleGeneric: vehicleOf(given),
    pricingInputs: {
      dutiable: linesOf(given),
      ...defined(
        { listPrice: given.listPrice, marketValue: given.marketValue, lctPreviouslyPaid: given.lctPreviouslyPaid },
        cents,
      ),
    },
    registration: {
      startDate: date,
      ...defined({ termMonths }),
      ...defined({ type: registrationType }),
      ...defined({ postcode }),
    },
    customer: {
      ...defined({ customerType, usageType }),
      ...(concession === undefined ? {} : { concession: { hasConcession: true, type: concession } }),
    },
    taxDatePolicy: { outOfRange: 'error' },
  }
}

function linesOf({ dutiable, lines = [] }: Given): RequestLine[] {
  const own = lines.map(({ kind, value }) => ({ description: kind, value: cents(value), kind: kind as LineKind }))
  const price = dutiable ?? (own.length === 0 ? '0' : undefined)
  return price === undefined ? own : [{ description: 'vehicle', value: cents(price), kind: 'vehicle' }, ...own]
}

function vehicleOf(given: Given): Vehicle {
  const words = Object.fromEntries(
    (['bodyType', 'fuelType', 'condition', ...BOOLEAN_FACTS, ...DATE_FACTS] as const).map((fact) => [
      fact,
      given[fact],
    ]),
  )
  const measures = NUMBER_FACTS.filter((fact) => fact !== 'termMonths').map((fact) => [fact, given[fact]] as const)
  return { ...defined(words), ...defined(Object.fromEntries(measures) as Record<string, string | undefined>, Number) }
}

/** The keys that have a value, each value turned into another. */
function defined<V, R = V>(
  from: Record<string, V | undefined>,
  turn: (value: V) => R = (value) => value as never,
): Record<string, R> {
  const present = Object.entries(from).filter((entry): entry is [string, V] => entry[1] !== undefined)
  return Object.fromEntries(present.map(([key, value]) => [key, turn(value)]))
}
