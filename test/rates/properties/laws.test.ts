import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { parameters } from './parameters.ts'
import { prices, requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)
const each = quotable.map((spec) => [labelOf(spec), spec] as const)
/** Without the set of every form: its amounts are invented, and no law says that its edges rise. */
const lawful = each.filter(([, { pricingCode }]) => pricingCode !== 'AU_ZZ')

/** The quote, or nothing where the request is refused. */
function priced(request: QuoteRequest, from: Snapshot = snapshot): Quote | undefined {
  try {
    return quote(request, from)
  } catch (error) {
    if (error instanceof PricingFault) return undefined
    throw error
  }
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

test.each(each)(
  '%s: the totals are those of the lines, and every line splits into its tax and the rest',
  (_name, spec) => {
    const holds = (request: QuoteRequest) => {
      const answer = priced(request)
      if (!answer) return
      const { categories, totals } = answer
      for (const category of ['dutiable', 'onRoad', 'additional'] as const) {
        expect(totals[category]).toBe(total(categories[category].map(({ value }) => value)))
        expect(totals.tax[category]).toBe(total(categories[category].map(({ tax }) => tax.amount)))
      }
      const lines = Object.values(categories).flat()
      expect(totals.driveAway).toBe(total(lines.map(({ value }) => value)))
      expect(totals.tax.overall).toBe(total(lines.map(({ tax }) => tax.amount)))
      for (const { value, tax, amounts } of lines) {
        expect(amounts).toEqual({ inclusive: value, tax: tax.amount, exclusive: value - tax.amount })
        expect(Number.isSafeInteger(value)).toBe(true)
      }
    }
    fc.assert(fc.property(requests(spec), holds), parameters)
  },
)

/**
 * Where a dearer vehicle may cost less on the road, by the law. Duty on the whole value changes its rate at an edge
 * upwards only (Vic s 218, Qld s 378); NSW s 266 and South Australia go on from the duty at their edges; Tasmania's
 * steep band ends where four per cent takes over; WA s 236 interpolates upwards; luxury car tax (s 5-15) starts from
 * nothing at its threshold. So no edge falls: one that appears has to be named here with its reason.
 */
const FALLS: { set: string; above: number; reason: string }[] = []

test.each(lawful)('%s: a dearer vehicle never costs less to drive away', (name, spec) => {
  const step = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20_000_00 }))
  const holds = (request: QuoteRequest, low: number, more: number) => expectRise(name, request, low, more)
  fc.assert(fc.property(requests(spec), prices(spec), step, holds), parameters)
})

test.each(lawful)('%s: one cent over an edge never costs less than one cent before it', (name, spec) => {
  const edges = edgesOf(spec)
  const holds = (request: QuoteRequest) => {
    for (const edge of edges) {
      const price = highestWithin(request, edge)
      if (price !== undefined) expectRise(name, request, price, 1)
    }
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})

function expectRise(name: string, request: QuoteRequest, low: number, more: number) {
  const [cheap, dear] = [low, low + more].map((value) => priced(withPrice(request, value)))
  const excused = FALLS.some(({ set, above }) => set === name && low <= above && low + more > above)
  if (!cheap || !dear || excused || comparable(cheap) !== comparable(dear)) return
  expect(dear.totals.driveAway).toBeGreaterThan(cheap.totals.driveAway)
}

/** Cents of every edge that a set writes down for a basis, parameters included, its imports' too. */
function edgesOf(spec: RateSetSpec): number[] {
  const homes = withEveryForm.filter(
    ({ pricingCode, financialYear }) =>
      financialYear === spec.financialYear && (pricingCode === spec.pricingCode || spec.imports?.includes(pricingCode)),
  )
  const written = [...JSON.stringify(homes).matchAll(/"(?:upTo|above|value)":"([0-9]{3,6}(?:\.[0-9]{1,2})?)"/g)]
  return [...new Set(written.map((match) => Math.round(Number(match[1]) * 100)))]
}

/** The highest price at which the duty's basis is still within an edge; nothing where no price up to $400,000 crosses it. */
function highestWithin(request: QuoteRequest, edge: number): number | undefined {
  const within = (value: number) => {
    const lines = priced({ ...withPrice(request, value), options: { explain: true } })?.categories.onRoad
    const basis = lines?.find(({ component }) => component === 'STAMP_DUTY')?.explain?.basis?.amount
    return basis === undefined ? undefined : basis <= edge
  }
  let [low, high] = [0, 400_000_00]
  if (within(low) !== true || within(high) !== false) return undefined
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const inside = within(middle)
    if (inside === undefined) return undefined
    if (inside) low = middle
    else high = middle
  }
  return low
}

function withPrice(request: QuoteRequest, value: number): QuoteRequest {
  const [vehicle, ...rest] = request.pricingInputs.dutiable
  return { ...request, pricingInputs: { ...request.pricingInputs, dutiable: [{ ...vehicle!, value }, ...rest] } }
}

/** Charges that are lines of both quotes; a line that the law does not price on one side says nothing about the other. */
const comparable = ({ categories }: Quote) =>
  categories.onRoad
    .map(({ component }) => component)
    .filter((component) => component !== 'LUXURY_CAR_TAX')
    .sort()
    .join()

const shuffled = <T>(list: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...list], { minLength: list.length })

/** A set with the lists whose order says nothing in another order: rules, classes, parameters, bases, sources, scales. */
const rearranged = (spec: RateSetSpec): fc.Arbitrary<RateSetSpec> =>
  fc
    .tuple(
      shuffled(spec.rules),
      shuffled(spec.classes ?? []),
      shuffled(spec.parameters ?? []),
      shuffled(spec.bases ?? []),
      shuffled(spec.sources),
    )
    .map(([rules, classes, parameters, bases, sources]) => ({ ...spec, rules, classes, parameters, bases, sources }))

test.each(each)('%s: the order of rules and names in a file changes no figure and no warning', (_name, spec) => {
  const federal = withEveryForm.filter(
    (one) => spec.imports?.includes(one.pricingCode) && one.financialYear === spec.financialYear,
  )
  const both = fc.tuple(rearranged(spec), ...federal.map(rearranged))
  const holds = (other: RateSetSpec[], wanted: QuoteRequest[]) => {
    const from = snapshotOf(other)
    for (const request of wanted) expect(essence(priced(request, from))).toEqual(essence(priced(request)))
  }
  const asked = fc.array(requests(spec), { minLength: 5, maxLength: 5 })
  fc.assert(fc.property(both, asked, holds), { ...parameters, numRuns: 30 })
})

/** What of a quote must not depend on the order in a file: everything but the order of its lines and warnings. */
function essence(answer: Quote | undefined) {
  if (!answer) return undefined
  const { categories, totals, metadata } = answer
  const onRoad = categories.onRoad.toSorted((a, b) => (a.component < b.component ? -1 : 1))
  return { onRoad, totals, warnings: metadata.warnings.toSorted() }
}
