import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseNotFound } from '#rates/coverage/not-found.ts'
import type { Quote } from '#rates/engine/answer.ts'
import { EVIDENCE } from '#rates/engine/grade.ts'
import type { Given, RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import { requestOf } from '#rates/proof/example-request.ts'
import { labelOf, sets, snapshotOf } from '../properties/sets.ts'
import { applies, dueIn, givenOn, holderOf, portfolio, type Vehicle } from './read-due.ts'

const FILE = 'rates/coverage/not-found.yaml'
const notFound = parseNotFound(readFileSync(FILE, 'utf8'), FILE)
const snapshot = snapshotOf(sets)
const quoted = sets.filter(({ offers }) => offers !== undefined)

interface Priced {
  vehicle: Vehicle
  given: Given
  day: string
  answer: Quote
}

/** The first day of the year and each day on which a rule begins. */
const daysOf = ({ financialYear, rules }: RateSetSpec): string[] => [
  ...new Set([`${financialYear.slice(0, 4)}-07-01`, ...rules.flatMap(({ startDate }) => startDate ?? [])]),
]

/** Every way of registering a vehicle: anew for each term, and by a transfer where it is used and that is offered. */
function asked(set: RateSetSpec, vehicle: Vehicle, day: string): Given[] {
  const given = givenOn(vehicle, set.pricingCode, day)
  const transfers = set.offers!.registrationTypes.some(({ type }) => type === 'transfer')
  const terms = set.offers!.terms.map((termMonths) => ({ ...given, termMonths }))
  return transfers && vehicle.ageYears !== undefined ? [...terms, { ...given, registrationType: 'transfer' }] : terms
}

const pricedOf = (set: RateSetSpec): Priced[] =>
  daysOf(set).flatMap((day) =>
    portfolio.flatMap((vehicle) =>
      asked(set, vehicle, day).map((given) => {
        const answer = quote(requestOf(given, set.pricingCode, day), snapshot)
        return { vehicle, given, day, answer }
      }),
    ),
  )

const priced = new Map(quoted.map((set) => [set, pricedOf(set)]))

const words = ({ vehicle, given, day }: Priced) =>
  `${vehicle.name} on ${day}, ${given.registrationType ?? 'new'}, ${given.termMonths ?? 12} months`

/** Components that the law puts on the registration and of which the quote says nothing. */
function silentOn(set: RateSetSpec, one: Priced): string[] {
  const lines = new Set(one.answer.categories.onRoad.map(({ component }) => component))
  const said = new Set(one.answer.metadata.unpriced.map(({ component }) => component))
  const told = (component: string) => lines.has(component) || said.has(component)
  return dueIn(set.pricingCode)
    .filter((due) => applies(due, one.vehicle, one.given) && !told(due.component))
    .filter((due) => !told(holderOf(due, one.given, set.financialYear) ?? ''))
    .map(({ component }) => component)
}

test.each(quoted.map((set) => [labelOf(set), set] as const))(
  '%s: what is due by law is a line or is said to be unpriced',
  (_label, set) => {
    const silent = priced
      .get(set)!
      .flatMap((one) => silentOn(set, one).map((component) => `${words(one)}: ${component}`))
    expect(silent).toEqual([])
  },
)

test('a complete quote of the portfolio lacks no component, and an incomplete one names at least one', () => {
  const wrong = [...priced.values()]
    .flat()
    .filter(({ answer: { metadata } }) => metadata.complete !== (metadata.unpriced.length === 0))
  expect(wrong.map(words)).toEqual([])
})

const COMMON = ['car', 'suv', 'ute', 'van']
const RECENT = ['2025-2026', '2026-2027']

/** Components of cars, SUVs, utes and vans for 12 months that have no price in the two latest years. */
const lacking = [...priced].flatMap(([set, all]) =>
  all
    .filter(({ vehicle, given }) => COMMON.includes(vehicle.kind) && (given.termMonths ?? 12) === 12)
    .filter(() => RECENT.includes(set.financialYear))
    .flatMap(({ answer }) => answer.metadata.unpriced)
    .map(({ component }) => `${set.pricingCode} ${component} ${set.financialYear}`),
)

test('each figure that a car, SUV, ute or van lacks is in the list of what was searched and not found, and no other', () => {
  const listed = notFound.flatMap(({ pricingCode, component, financialYears }) =>
    financialYears.map((year) => `${pricingCode} ${component} ${year}`),
  )
  expect([...new Set(lacking)].toSorted()).toEqual([...new Set(listed)].toSorted())
})

test('the portfolio by jurisdiction and year: how many are complete for 12 months, and on what evidence', () => {
  const rows = [...priced].map(([set, all]) => {
    const year = all.filter(({ given, day }) => (given.termMonths ?? 12) === 12 && day.endsWith('-07-01'))
    const complete = year.filter(({ answer }) => answer.metadata.complete)
    const weakest = Map.groupBy(complete, ({ answer }) =>
      answer.categories.onRoad.reduce((at, { evidence }) => Math.max(at, EVIDENCE.indexOf(evidence as never)), 0),
    )
    const grades = EVIDENCE.map((grade, at) => [grade, weakest.get(at)?.length ?? 0] as const)
    return [labelOf(set), { complete: `${complete.length} of ${year.length}`, ...Object.fromEntries(grades) }] as const
  })
  console.table(Object.fromEntries(rows))
  expect(rows).toHaveLength(quoted.length)
})
