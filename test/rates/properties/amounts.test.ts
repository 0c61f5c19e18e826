import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountsOf } from '#rates/engine/quote/amounts.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { codeOr } from './every-value.ts'
import { parameters } from './parameters.ts'
import { requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)

function amountsOfQuote(request: QuoteRequest) {
  const { categories, totals, metadata } = quote(request, snapshot)
  return {
    driveAway: totals.driveAway,
    onRoad: categories.onRoad.map(({ component, value }) => [component, value]),
    unpriced: metadata.unpriced.map(({ component }) => component).toSorted(),
  }
}

function amountsAlone(request: QuoteRequest) {
  const amounts = amountsOf(request, snapshot)!
  return { ...amounts, onRoad: [...amounts.onRoad], unpriced: amounts.unpriced.toSorted() }
}

test.each(quotable.map((spec) => [labelOf(spec), spec] as const))(
  '%s: the amounts alone are the amounts of the quote, and the same vehicles are refused',
  (_name, spec) => {
    fc.assert(
      fc.property(requests(spec), (drawn) => {
        const request = { ...drawn, options: {} }
        expect(codeOr(() => amountsAlone(request))).toEqual(codeOr(() => amountsOfQuote(request)))
      }),
      parameters,
    )
  },
)

test('outside the published years nothing has an amount', () => {
  const request = {
    ...{ pricingCode: 'AU_VIC', showroomCode: 'ANY', purchaseDate: '2026-11-01' },
    registration: { startDate: '2036-07-01', termMonths: 12 },
    vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', co2GPerKm: 150 },
    taxDatePolicy: { outOfRange: 'legacy' },
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: 90_000_00, kind: 'vehicle' }] },
  } as unknown as QuoteRequest
  expect(amountsOf(request, snapshot)).toBeNull()
})
