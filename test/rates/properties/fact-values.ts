import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, FACTS, NUMBER_FACTS, type Fact } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Quote } from '#rates/engine/answer.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'

/** The field of a request that each fact is sent in. */
const FIELDS: Partial<Record<Fact, string>> = {
  customerType: '/customer/customerType',
  usageType: '/customer/usageType',
  registrationType: '/registration/type',
  termMonths: '/registration/termMonths',
  postcode: '/registration/postcode',
  listPrice: '/pricingInputs/listPrice',
  marketValue: '/pricingInputs/marketValue',
  gst: '/pricingInputs/gst',
  lctPreviouslyPaid: '/pricingInputs/lctPreviouslyPaid',
}

export const fieldOf = (fact: Fact): string => FIELDS[fact] ?? `/vehicleGeneric/${fact}`

/** Facts that say something of each other: with one of them named, an answer need not name those that would prove it. */
const TOGETHER: readonly (readonly Fact[])[] = [
  ['tareKg', 'kerbMassKg', 'gvmKg'],
  ['firstRegisteredDate', 'previouslyRegistered', 'manufactureDate', 'year'],
  ['cylinders', 'rotors', 'engineCapacityCc', 'co2GPerKm', 'fuelConsumptionLPer100km', 'fuelType'],
]

/** The fields of the facts that a fact may prove something of, its own among them. */
export const fieldsBeside = (fact: Fact): string[] =>
  (TOGETHER.find((facts) => facts.includes(fact)) ?? [fact]).map(fieldOf)

/**
 * Components without a price because the facts that were sent leave no room for what would be assumed of another one, such as
 * no engine for petrol. The quote asks for that fact; what else the price depends on, the quote says once the fact is sent.
 */
export const withoutRoom = ({ metadata: { unpriced } }: Quote): string[] =>
  unpriced.filter(({ reason }) => / is not priced: \w+ not sent\.$/.test(reason)).map(({ component }) => component)

/** The request with a value in a field, such as `/vehicleGeneric/seats`; undefined leaves the field out. */
export function withField(request: QuoteRequest, field: string, value: unknown): QuoteRequest {
  const [, part = '', name = ''] = field.split('/')
  const record = request as unknown as Record<string, object>
  const others = Object.entries(record[part] ?? {}).filter(([key]) => key !== name)
  const sent = value === undefined ? others : [...others, [name, value] as const]
  // The tax paid before may stand beside the inputs too, where the first version of the contract had it.
  const { lctPreviouslyPaid, ...rest } = request
  const beside = name === 'lctPreviouslyPaid' || lctPreviouslyPaid === undefined ? {} : { lctPreviouslyPaid }
  return { ...rest, ...beside, [part]: Object.fromEntries(sent) }
}

type Node = Record<string, unknown>

/** Every object of a set as it is written, its examples left out. */
function nodesOf(spec: RateSetSpec): Node[] {
  const found: Node[] = []
  JSON.stringify({ ...spec, examples: [] }, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) found.push(value as Node)
    return value
  })
  return found
}

/** The words that may name a fact where they stand under a key of a set. */
function namedBy([key, value]: [string, unknown]): unknown[] {
  if (['present', 'sum', 'greatest', 'firstPresent', 'minus', 'less'].includes(key)) return value as unknown[]
  if (key === 'fact' || key === 'of') return [value]
  if (key === 'age') return [(value as { from: string }).from]
  if (key === 'zones') return ['postcode']
  return key === 'terms' || key === 'termScale' ? ['termMonths'] : [key]
}

/** The facts that the rules of some sets name anywhere: in a condition, a table, a charge by units, a basis, a zone. */
export function factsNamed(specs: readonly RateSetSpec[]): Fact[] {
  const named = new Set(
    specs
      .flatMap(nodesOf)
      .flatMap(Object.entries<unknown>)
      .flatMap(namedBy),
  )
  // What is sent in any case.
  return FACTS.filter((fact) => named.has(fact) && fact !== 'dutiable')
}

/** Numbers that are usual, and the ends of what a request may send. */
const USUAL: Record<string, number[]> = {
  cylinders: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13],
  rotors: [0, 1, 2, 3, 4],
  seats: [0, 1, 2, 5, 14],
  year: [1990, 2010, 2020, 2024, 2026],
}

function numbersOf(fact: string, nodes: readonly Node[]): number[] {
  const edges = new Set<number>()
  for (const node of nodes) {
    for (const edge of Object.values((node[fact] ?? {}) as Node)) edges.add(Number(edge))
    if (node.fact === fact) for (const row of (node.rows ?? []) as Node[]) edges.add(Number(row.upTo ?? NaN))
  }
  const beside = [...edges].filter((edge) => !Number.isNaN(edge)).flatMap((edge) => [edge - 1, edge, edge + 1])
  const usual = USUAL[fact] ?? [0, 1, 900, 1_500, 2_450, 4_495, 9_000]
  return [...new Set([...usual, ...beside])].filter((value) => value >= 0)
}

const MASSES = ['tareKg', 'kerbMassKg', 'gvmKg']

/** A mass has to lie between the others that are sent, and what may be loaded is their difference. */
function massesBeside(fact: string, { vehicleGeneric = {} }: QuoteRequest): number[] {
  const sent = MASSES.flatMap((mass) => (vehicleGeneric as Record<string, unknown>)[mass] ?? [])
  const beside = sent.filter((mass) => typeof mass === 'number').flatMap((mass) => [mass, mass + 1, mass + 500])
  return MASSES.includes(fact) ? beside : []
}

function datesOf({ registration: { startDate } }: QuoteRequest, nodes: readonly Node[]): string[] {
  const shifted = (years: number, days: number) => {
    const anniversary = `${Number(startDate.slice(0, 4)) - years}${startDate.slice(4)}`
    return new Date(Date.parse(anniversary) + days * 86_400_000).toISOString().slice(0, 10)
  }
  const written = nodes.flatMap(({ from, to }) => [from, to]).filter((text) => /^\d{4}-\d\d-\d\d$/.test(String(text)))
  const turned = [0, 1, 2, 3, 5, 10, 25, 30, 60].flatMap((years) => [-1, 0, 1].map((days) => shifted(years, days)))
  return [...turned, ...written.map(String)].filter((date) => date <= startDate)
}

/** One postcode at each end of every range of a set, and one that lies in none. */
const postcodesOf = ({ zones = [] }: RateSetSpec): string[] => [
  '9999',
  ...new Set(
    zones.flatMap(({ values }) => values.flatMap(({ postcodes }) => postcodes.flatMap((one) => one.split('-')))),
  ),
]

/** Values of a fact on both sides of whatever the sets can tell apart, as a request sends them. */
export function valuesOf(fact: Fact, specs: readonly RateSetSpec[], request: QuoteRequest): unknown[] {
  if (fact === 'termMonths') return specs[0]!.offers!.terms
  if (fact === 'postcode') return postcodesOf(specs[0]!)
  if (fact in ENUM_FACTS) return [...ENUM_FACTS[fact as keyof typeof ENUM_FACTS]]
  if ((BOOLEAN_FACTS as readonly string[]).includes(fact)) return [true, false]
  const nodes = specs.flatMap(nodesOf)
  if ((DATE_FACTS as readonly string[]).includes(fact)) return datesOf(request, nodes)
  if ((NUMBER_FACTS as readonly string[]).includes(fact))
    return [...numbersOf(fact, nodes), ...massesBeside(fact, request)]
  return [0, 1, 20_000_00, 90_000_00, 10_000_000_000]
}
