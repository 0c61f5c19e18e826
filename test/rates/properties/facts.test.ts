import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PricingFault, type Assumption, type Quote } from '#rates/engine/answer.ts'
import type { Fact } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { factsNamed, fieldOf, fieldsBeside, valuesOf, withField, withoutRoom } from './fact-values.ts'
import { stoppingAfter } from './parameters.ts'
import { pricedWith } from './priced.ts'
import { requests } from './requests.ts'
import { drawnSets, labelOf, sets, snapshotOf } from './sets.ts'

// A fact that changes a price is never assumed silently, and a fact that cannot matter is never warned of.
const snapshot = snapshotOf(sets)
const parameters = stoppingAfter(1_200)

interface Subject {
  /** The set and those that it imports. */
  specs: RateSetSpec[]
  facts: Fact[]
}

const quotable = sets.filter(({ offers }) => offers !== undefined)

const subjects = drawnSets(quotable).map((spec): [string, Subject] => {
  const imports = sets.filter(
    ({ pricingCode, financialYear }) => spec.imports?.includes(pricingCode) && financialYear === spec.financialYear,
  )
  const specs = [spec, ...imports]
  return [labelOf(spec), { specs, facts: factsNamed(specs) }]
})

const priced = pricedWith(snapshot)

/** Whether a request is refused because another field decides its price then, such as the tax paid before on a used car. */
function needsMore(request: QuoteRequest): boolean {
  try {
    quote(request, snapshot)
    return false
  } catch (error) {
    return error instanceof PricingFault && error.message.includes('is needed to price')
  }
}

/** What a customer pays and whether that is all: cents by component, and the components without a price. */
const priceOf = ({ categories, metadata }: Quote, left: readonly string[] = []): string =>
  JSON.stringify([
    categories.onRoad
      .filter(({ component }) => !left.includes(component))
      .map(({ component, value }) => [component, value])
      .sort(),
    metadata.unpriced
      .map(({ component }) => component)
      .filter((component) => !left.includes(component))
      .sort(),
  ])

/** The same with what is said of the figures: their grade, whether they may rise, and their GST. */
const figuresOf = (answer: Quote): string =>
  JSON.stringify([
    priceOf(answer),
    answer.categories.onRoad.map(({ component, evidence }) => [component, evidence]).sort(),
    [...answer.metadata.mayRise].sort(),
    answer.totals.tax.overall,
  ])

/** A request of the set, some of its facts left out, and one fact that a rule names. */
const drawn = ({ specs, facts }: Subject): fc.Arbitrary<[QuoteRequest, Fact]> =>
  fc
    .tuple(requests(specs[0]!), fc.subarray(facts, { maxLength: 6 }), fc.constantFrom(...facts))
    .map(([request, left, fact]) => [
      left
        .filter((one) => one !== 'condition' && one !== 'registrationType')
        .reduce((body, one) => withField(body, fieldOf(one), undefined), request),
      fact,
    ])

test.each(subjects)('%s: a fact whose values give other prices is named where it is not sent', (_name, subject) => {
  const holds = ([request, fact]: [QuoteRequest, Fact]) => {
    const field = fieldOf(fact)
    const omitted = priced(withField(request, field, undefined))
    if (!omitted) return
    const left = withoutRoom(omitted)
    const without = priceOf(omitted, left)
    const beside = fieldsBeside(fact)
    const named = omitted.metadata.assumptions.some(({ path }) => beside.includes(path))
    if (named) return
    for (const value of valuesOf(fact, subject.specs, request)) {
      const sent = priced(withField(request, field, value))
      // What leaves no room for what is assumed of another fact, such as no emissions for petrol, asks for that fact.
      const asks = sent?.metadata.unpriced.some(({ path = '' }) => path !== field && beside.includes(path))
      if (sent && !asks) expect(priceOf(sent, left), `${field}: ${String(value)}`).toBe(without)
    }
  }
  fc.assert(fc.property(drawn(subject), holds), parameters)
})

/** Values of several fields at once, the combinations of a few of each. */
function* combined(fields: [string, unknown[]][], request: QuoteRequest): Generator<QuoteRequest> {
  const [first, ...rest] = fields
  if (first === undefined) {
    yield request
    return
  }
  for (const value of first[1]) yield* combined(rest, withField(request, first[0], value))
}

/** Enough where several fields are tried together: every word; of numbers the usual ones, and those beside what is sent. */
const fewOf = (values: unknown[]): unknown[] =>
  typeof values[0] === 'number' ? [...new Set([...values.slice(0, 7), ...values.slice(-6)])] : values

/** What is said of the GST in the request's own lines is said of lines of no value too; luxury car tax is another matter. */
const isOfLines = ({ path, component }: Assumption) => path === fieldOf('gst') && component !== 'LUXURY_CAR_TAX'

/** The fields of one statement: they matter together, such as the masses that a load is the difference of. */
const togetherWith = ({ reason, component }: Assumption, all: readonly Assumption[]): string[] => [
  ...new Set(all.filter((one) => one.reason === reason && one.component === component).map(({ path }) => path)),
]

test.each(subjects)('%s: a fact is named only where some value gives other figures', (_name, subject) => {
  const factOf = new Map(subject.facts.map((fact) => [fieldOf(fact), fact]))
  const holds = ([request]: [QuoteRequest, Fact]) => {
    const answer = priced(request)
    if (!answer) return
    const without = figuresOf(answer)
    const { assumptions } = answer.metadata
    const taken = assumptions.filter(({ kind, path }) => ['assumed', 'default'].includes(kind) && factOf.has(path))
    for (const one of taken.filter((each) => !isOfLines(each))) {
      const paths = togetherWith(one, assumptions)
      const fields = paths.flatMap((path): [string, unknown[]][] => {
        const fact = factOf.get(path)
        const values = fact === undefined ? [] : valuesOf(fact, subject.specs, request)
        // Where several facts are named together, one of them may tell without the others.
        const alone = paths.length > 1 ? [undefined] : []
        return fact === undefined ? [] : [[path, [...alone, ...(paths.length > 2 ? fewOf(values) : values)]]]
      })
      const other = [...combined(fields, request)].some((body) => {
        const sent = priced(body)
        return sent === undefined ? needsMore(body) : figuresOf(sent) !== without
      })
      expect(other, `${one.path}: ${one.reason}`).toBe(true)
    }
  }
  fc.assert(fc.property(drawn(subject), holds), parameters)
})

test('every fact that a rate set may name is named by some set, so that none is left out above', () => {
  const named = new Set(
    quotable.flatMap((spec) =>
      factsNamed([spec, ...sets.filter(({ pricingCode }) => spec.imports?.includes(pricingCode))]),
    ),
  )
  expect([...named].sort()).toEqual([
    'bodyType',
    'co2GPerKm',
    'condition',
    'customerType',
    'cylinders',
    'demonstrator',
    'engineCapacityCc',
    'firstRegisteredDate',
    'fuelConsumptionLPer100km',
    'fuelType',
    'gst',
    'gvmKg',
    'kerbMassKg',
    'lctPreviouslyPaid',
    'listPrice',
    'manufactureDate',
    'marketValue',
    'postcode',
    'previouslyRegistered',
    'registrationType',
    'rotors',
    'seats',
    'tareKg',
    'termMonths',
    'usageType',
    'year',
  ])
})
