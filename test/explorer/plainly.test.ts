import { expect, test } from 'vitest'
import { plainly } from '#explorer/page/fields.ts'
import { requestOf, type Chosen } from '#explorer/page/request.ts'
import { PricingFault } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'

const VEHICLE = {
  ...{ startDate: '2026-11-01', value: '90000', bodyType: 'suv', fuelType: 'ICE', condition: 'new' },
  ...{ termMonths: '12', co2GPerKm: '150' },
}
const snapshot = snapshotOf(sets)

/** What the engine says of a choice. */
function textsOf(chosen: Chosen): string[] {
  try {
    const { warnings, unpriced } = quote(requestOf(chosen), snapshot).metadata
    return [...warnings, ...unpriced.map(({ reason }) => reason)]
  } catch (error) {
    if (error instanceof PricingFault) return [error.message]
    throw error
  }
}

test('no text of a quote has a name or a code of the request, in any state', () => {
  const codes = Object.keys(snapshot.jurisdictions)
  const others: Record<string, string>[] = [
    ...[{}, { condition: 'used' }, { termMonths: '7' }, { startDate: '1999-01-01' }, { fuelType: 'BEV' }],
    ...[
      { bodyType: '', condition: '' },
      { type: 'transfer', condition: 'used' },
      { fuelType: '', co2GPerKm: '' },
    ],
    ...[{ firstRegisteredDate: '2026-12-01' }, { manufactureDate: '1990-01-01' }],
  ]
  const texts = codes.flatMap((pricingCode) =>
    others.flatMap((other) => textsOf({ ...VEHICLE, ...other, pricingCode })),
  )
  expect(texts.length).toBeGreaterThan(100)
  const coded = /\b[a-z][a-z0-9]*[A-Z]\w*|\w\.[a-z]|\bAU_|\b(ICE|P?HEV|BEV|FCEV)\b|\d{4}-\d\d-\d\d/
  expect([...new Set(texts.map(plainly))].filter((text) => coded.test(text))).toEqual([])
})

test.each([
  [
    'registration.termMonths 7 is not offered in AU_VIC; offered: 3, 6, 12.',
    'Term 7 is not offered in Victoria; offered: 3, 6, 12.',
  ],
  [
    'pricingInputs.gst not sent: the sale is taken to bear GST.',
    'GST of the sale not sent: the sale is taken to bear GST.',
  ],
  ['Fuel type or firstRegisteredDate not sent.', 'Energy or day of first registration not sent.'],
  ['CO2 emissions (co2GPerKm) not sent.', 'CO2 emissions not sent.'],
  [
    'purchaseDate 1999-01-01 is not in a financial year.',
    'Day of registration 1 January 1999 is not in a financial year.',
  ],
  [
    'co2GPerKm 150 is ignored: a vehicle of fuelType BEV emits none.',
    'CO2 150 is ignored: a vehicle of energy electric emits none.',
  ],
])('%s', (message, said) => {
  expect(plainly(message)).toBe(said)
})
