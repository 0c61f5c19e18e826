import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '#rates/engine/answer.ts'
import { EVIDENCE } from '#rates/engine/grade.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { describeJurisdictions, type OfferedYear } from '#rates/offered/describe.ts'
import { stoppingAfter } from '../properties/parameters.ts'
import { pricedWith } from '../properties/priced.ts'
import { requests } from '../properties/requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from '../properties/sets.ts'

const snapshot = snapshotOf(withEveryForm)
const offered = new Map<string, OfferedYear>(
  [...describeJurisdictions(snapshot)].flatMap(({ pricingCode, years }) =>
    years.map((year): [string, OfferedYear] => [`${pricingCode} ${year.financialYear}`, year]),
  ),
)
const each = quotable
  .filter(({ pricingCode, financialYear }) => offered.has(`${pricingCode} ${financialYear}`))
  .map((spec) => [labelOf(spec), spec, offered.get(`${spec.pricingCode} ${spec.financialYear}`)!] as const)
const parameters = stoppingAfter(300)

const priced = pricedWith(snapshot)

/** What is said of each component: its lines and their tax, or that it has no price. */
function saidOf({ categories, metadata }: Quote): Map<string, string> {
  const lines = Object.values(categories).flat()
  const names = [...lines, ...metadata.unpriced].map(({ component }) => component)
  return new Map(
    names.map((name) => {
      const own = lines.filter(({ component }) => component === name)
      const lacks = metadata.unpriced.some(({ component }) => component === name)
      return [name, JSON.stringify([own.map(({ value, tax }) => [value, tax]), lacks])]
    }),
  )
}

const withoutField = (request: QuoteRequest, path: string): QuoteRequest => {
  const copy = structuredClone(request) as unknown as Record<string, Record<string, unknown> | undefined>
  const [, part = '', field = ''] = path.split('/')
  delete copy[part]?.[field]
  return copy as unknown as QuoteRequest
}

const fieldsOf = (request: QuoteRequest): string[] =>
  (['vehicleGeneric', 'pricingInputs', 'customer', 'registration'] as const)
    .flatMap((part) => Object.keys(request[part] ?? {}).map((field) => `/${part}/${field}`))
    .filter(
      (path) =>
        !['dutiable', 'additional', 'startDate', 'type', 'concession', 'condition'].some((end) =>
          path.endsWith(`/${end}`),
        ),
    )

test.each(each)('%s: a field changes no component but those that are listed for it', (_name, spec, { facts }) => {
  const holds = (request: QuoteRequest) => {
    const all = priced(request)
    if (!all) return
    for (const path of fieldsOf(request)) {
      const less = priced(withoutField(request, path))
      if (!less) continue
      const [before, after] = [saidOf(all), saidOf(less)]
      const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
        (name) => before.get(name) !== after.get(name),
      )
      const listed = facts.find((fact) => fact.path === path)?.components ?? []
      expect(
        moved.filter((name) => !listed.includes(name)),
        path,
      ).toEqual([])
    }
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})

test.each(each)(
  '%s: what a quote assumes for a field, or lacks for want of it, is listed',
  (_name, spec, { facts }) => {
    const holds = (request: QuoteRequest) => {
      const thinned = fieldsOf(request).reduce((body, path) => withoutField(body, path), request)
      for (const { metadata } of [priced(request), priced(thinned)].filter((answer) => answer !== undefined)) {
        for (const { kind, path, component, assumed, reason } of metadata.assumptions) {
          if (path === '' || component === undefined || !['assumed', 'unpriced'].includes(kind)) continue
          if (!facts.some((fact) => fact.path === path)) throw new Error(`${path} is not listed: ${reason}`)
          const entries = facts.find((fact) => fact.path === path)!.without
          const outcomes = kind === 'assumed' ? ['assumed', 'without'] : ['unpriced', 'without']
          const same = entries.filter((one) => outcomes.includes(one.outcome) && one.components.includes(component))
          // A quote may name the fact in the words of another fact that it had to assume with it.
          const said = same.find((one) => one.reason === undefined || one.reason === reason) ?? same[0]
          expect({ path, component, kind, reason, assumed, said: said !== undefined }).toMatchObject({ said: true })
          // A basis may say in the same words that it goes without the fact: then no value was taken.
          if (said?.reason === reason && typeof said.value === 'number') expect([said.value, null]).toContain(assumed)
        }
      }
    }
    fc.assert(fc.property(requests(spec), holds), parameters)
  },
)

/** A postcode of one of the set's zones; any where it has none. */
function postcodeOf({ zones = [] }: RateSetSpec, pick: number): string {
  const all = zones.flatMap(({ values }) => values.flatMap(({ postcodes }) => postcodes))
  return all[pick % Math.max(1, all.length)]?.slice(0, 4) ?? '2000'
}

/** The request with every fact sent; those that it lacks are those of a plausible vehicle. */
function whole(request: QuoteRequest, spec: RateSetSpec): QuoteRequest {
  const { startDate } = request.registration
  const postcode = postcodeOf(spec, request.pricingInputs.dutiable[0]!.value)
  const made = request.vehicleGeneric?.firstRegisteredDate ?? startDate
  const condition = request.registration.type === 'transfer' ? 'used' : 'new'
  const usual = { bodyType: 'suv', fuelType: 'ICE', condition, cylinders: 4, rotors: 0, seats: 5, co2GPerKm: 150 }
  const masses = { tareKg: 1500, kerbMassKg: 3500, gvmKg: 6000, engineCapacityCc: 2000, fuelConsumptionLPer100km: 8 }
  const past = { manufactureDate: made, previouslyRegistered: false, demonstrator: false }
  const vehicleGeneric = { ...usual, ...masses, ...past, ...request.vehicleGeneric }
  const { dutiable } = request.pricingInputs
  const price = dutiable.reduce((sum, { value }) => sum + value, 0)
  const money = { listPrice: price, marketValue: price, lctPreviouslyPaid: 0, ...request.pricingInputs }
  const { customerType = 'consumer', usageType = 'consumer' } = request.customer ?? {}
  return {
    ...request,
    vehicleGeneric: { ...vehicleGeneric, firstRegisteredDate: made } as QuoteRequest['vehicleGeneric'],
    pricingInputs: money,
    registration: { ...request.registration, postcode },
    customer: { customerType, usageType },
  } as QuoteRequest
}

test.each(each)('%s: a quote with all facts is as complete as the coverage says', (_name, spec, { coverage }) => {
  const holds = (drawn: QuoteRequest) => {
    const request = whole(drawn, spec)
    const answer = priced(request)
    if (!answer) return
    const { startDate, type = 'new', termMonths = 12 } = request.registration
    const { bodyType, fuelType, condition } = request.vehicleGeneric as Record<string, string>
    const found = coverage
      .filter((one) => one.startDate <= startDate && startDate <= one.endDate)
      .filter((one) => one.registrationType === type && one.condition === condition)
      .flatMap((one) => one.vehicles)
      .filter(
        (one) =>
          one.bodyTypes.includes(bodyType!) && one.fuelTypes.includes(fuelType!) && one.terms.includes(termMonths),
      )
    expect(found.length).toBe(1)
    const [{ complete, unpriced, evidence }] = found as [(typeof found)[0]]
    const { metadata } = answer
    if (complete !== 'sometimes')
      expect({ complete: metadata.complete, unpriced: metadata.unpriced }).toMatchObject({
        complete: complete === 'always',
      })
    expect(metadata.unpriced.map(({ component }) => component).filter((name) => !unpriced.includes(name))).toEqual([])
    for (const line of answer.categories.onRoad) {
      const weakest = evidence.find(({ component }) => component === line.component)?.grade
      const [grade, bound] = [line.evidence, weakest].map((each) => EVIDENCE.indexOf(each as 'official'))
      expect({ line, weakest, holds: grade! <= bound! }).toMatchObject({ holds: true })
    }
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})

test('a value that no other fact can contradict is not said to lack room: at most nine seats, an engine of some size', () => {
  const saidOfRoom = each.flatMap(([name, , { facts }]) =>
    facts
      .filter(({ path }) => /\/(seats|engineCapacityCc)$/.test(path))
      .filter(({ without }) => without.some(({ when }) => when?.includes('leave no room')))
      .map(({ path }) => `${name} ${path}`),
  )
  expect(saidOfRoom).toEqual([])
  const gvm = each.flatMap(([, , { facts }]) => facts.filter(({ path }) => path.endsWith('/gvmKg')))
  expect(gvm.some(({ without }) => without.some(({ when }) => when?.includes('leave no room')))).toBe(true)
})

test('a line of an import depends on what a concession of the set that imports it asks: LCT Act s 25-1(2), a car for people in wheelchairs', () => {
  const componentsOf = (name: string, path: string) =>
    offered.get(name)!.facts.find((fact) => fact.path === path)?.components
  // Victoria's concession asks for the use of the vehicle; without one, the tax does not depend on it.
  expect(componentsOf('AU_VIC 2026-2027', '/customer/usageType')).toContain('LUXURY_CAR_TAX')
  expect(componentsOf('AU_SA 2026-2027', '/customer/usageType')).not.toContain('LUXURY_CAR_TAX')
})
