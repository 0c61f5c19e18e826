import { expect, test } from 'vitest'
import type { Given, RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import { requestOf } from '#rates/proof/example-request.ts'
import { labelOf, sets, snapshotOf } from '../properties/sets.ts'
import { givenOn, portfolio, type Vehicle } from './read-due.ts'

const snapshot = snapshotOf(sets)
const quoted = sets.filter(({ offers }) => offers !== undefined)
const named = quoted.map((set) => [labelOf(set), set] as const)

const daysOf = ({ financialYear, rules }: RateSetSpec): string[] => [
  ...new Set([`${financialYear.slice(0, 4)}-07-01`, ...rules.flatMap(({ startDate }) => startDate ?? [])]),
]

/** Quotes of vehicles with some facts of their own, for every term, on each day on which figures may change. */
const quotesOf = (set: RateSetSpec, vehicles: readonly Vehicle[], own: Given) =>
  daysOf(set).flatMap((day) =>
    vehicles.flatMap((vehicle) =>
      set.offers!.terms.map((termMonths) => {
        const given = { ...givenOn(vehicle, set.pricingCode, day), termMonths, ...own }
        const words = `${vehicle.name} on ${day}, ${termMonths} months`
        return { words, answer: quote(requestOf(given, set.pricingCode, day), snapshot) }
      }),
    ),
  )

/** The reference has figures of light vehicles alone: to 4.5 t of GVM. No motorcycle is heavier. */
test.each(named)('%s: no vehicle above 4.5 t is registered at a price that is said to be complete', (_label, set) => {
  const vehicles = portfolio.filter(({ kind }) => kind !== 'motorcycle')
  const complete = quotesOf(set, vehicles, { gvmKg: '4501' }).filter(({ answer }) => answer.metadata.complete)
  expect(complete.map(({ words }) => words)).toEqual([])
})

/** Every jurisdiction has a class of its own for taxis, or none was read: never the premium of a private car. */
test.each(named)('%s: a taxi has not the compulsory insurance of a private car', (_label, set) => {
  const vehicles = portfolio.filter(({ kind }) => ['car', 'suv', 'electric', 'people mover'].includes(kind))
  const taxis = quotesOf(set, vehicles, { usageType: 'taxi' })
  const insured = ({ answer: { categories } }: (typeof taxis)[number]) =>
    categories.onRoad.find(({ component }) => component === 'CTP')?.value
  const alike = quotesOf(set, vehicles, {}).flatMap((own, at) => {
    const premium = insured(taxis[at]!)
    return premium !== undefined && premium === insured(own) ? [own.words] : []
  })
  expect(alike).toEqual([])
})
