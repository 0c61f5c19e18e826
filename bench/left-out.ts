import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { timeInTurns, type Contender } from './rounds.ts'

const FILES = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml', 'rates/sets/au-qld/fy27.yaml']
const STATES = [
  ['Victoria', 'AU_VIC', '3000'],
  ['Queensland', 'AU_QLD', '4000'],
] as const
const MOST = 2
const ALL = 'all facts sent'

/** The fields that are left out together, by their name in the report. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'without the body type': ['bodyType'],
  'without the fuel type': ['fuelType'],
  'without cylinders': ['cylinders'],
  'without the usage type': ['usageType'],
  'without the term': ['termMonths'],
  'without the condition': ['condition'],
  'without the GST of the sale': ['gst'],
  'only the vehicle’s body, fuel, cylinders, seats and tare': [
    ...['kerbMassKg', 'gvmKg', 'co2GPerKm', 'engineCapacityCc', 'fuelConsumptionLPer100km', 'previouslyRegistered'],
    ...[
      'manufactureDate',
      'listPrice',
      'marketValue',
      'lctPreviouslyPaid',
      'gst',
      'postcode',
      'customerType',
      'usageType',
    ],
  ],
}

/** The cost of finding out which of the missing facts matter. */
export async function leftOut(): Promise<Section> {
  const snapshot = compileRateSets(readRateSets(FILES))
  const contenders = STATES.flatMap(([name, pricingCode, postcode]): Contender[] => {
    const full = complete(pricingCode, postcode)
    const asked = Object.entries(LEFT_OUT).map(([what, fields]) => [what, without(full, fields)] as const)
    const all = [[ALL, full] as const, ...asked]
    return all.map(([what, request]) => ({ name: `${name}, ${what}`, run: () => quote(request, snapshot) }))
  })
  const times = await timeInTurns(contenders)
  const rows = STATES.flatMap(([name]) => Object.keys(LEFT_OUT).map((what) => figureOf(name, what, times)))
  return { title: 'A quote that leaves facts out', how, figures: rows }
}

const how =
  'A new SUV of $45,000, in process: a request without some of the facts, compared with the request with all facts. For ' +
  'each missing fact, the engine prices the components that depend on the fact again with other values, and names the ' +
  'fact only if a figure changes.'

function figureOf(name: string, what: string, times: ReadonlyMap<string, number>): Figure {
  const [us, all] = [times.get(`${name}, ${what}`) ?? NaN, times.get(`${name}, ${ALL}`) ?? NaN]
  const rest = { comparedWith: ALL, target: `at most ${MOST}`, met: us / all <= MOST }
  return { what: `${name}, ${what}`, measured: `${us.toFixed(1)} µs`, ratio: ratioOf(us, all), ...rest }
}

/** A request with every fact that a rule of either state reads for a new car. */
const complete = (pricingCode: string, postcode: string): QuoteRequest => ({
  pricingCode,
  showroomCode: 'MEL01',
  purchaseDate: '2026-11-01',
  vehicleGeneric: {
    bodyType: 'suv',
    condition: 'new',
    fuelType: 'ICE',
    cylinders: 4,
    seats: 5,
    tareKg: 1600,
    kerbMassKg: 1650,
    gvmKg: 2200,
    co2GPerKm: 150,
    engineCapacityCc: 2000,
    fuelConsumptionLPer100km: 8,
    previouslyRegistered: false,
    manufactureDate: '2026-03-01',
  },
  pricingInputs: {
    dutiable: [{ description: 'Vehicle', value: 45_000_00, kind: 'vehicle' }],
    listPrice: 45_000_00,
    marketValue: 45_000_00,
    lctPreviouslyPaid: 0,
    gst: 'taxable',
  },
  registration: { startDate: '2026-11-01', termMonths: 12, type: 'new', postcode },
  customer: { customerType: 'consumer', usageType: 'consumer' },
  taxDatePolicy: { outOfRange: 'error' },
})

/** The request without some of its fields, wherever they occur. */
const without = (request: QuoteRequest, fields: readonly string[]): QuoteRequest =>
  JSON.parse(
    JSON.stringify(request, (key, value: unknown) => (fields.includes(key) ? undefined : value)),
  ) as QuoteRequest
