import { expect, test } from 'vitest'
import { chargedFigure, chargedWords, labelForTerm } from '#rates/diff/as-charged.ts'
import { resolverOn } from '#rates/diff/amounts.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import type { Charge } from '#rates/engine/grammar/charge.ts'
import { sets } from '../properties/sets.ts'

const victoria = sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!
const resolver = resolverOn(subjectOf(victoria, sets), '2026-07-01')
const charging = (charge: Charge) => ({ charge, term: undefined, resolver })

// The order on a line: less, atLeast, atMost, then the rounding. FEE_UNIT is $17.27.
test.each<[Charge, string]>([
  [{ flat: '44.20', atLeast: '50' }, '$50.00 (from $44.20)'],
  [{ flat: '56.00', atLeast: '50' }, '$56.00'],
  [{ flat: '44.20', atMost: '40' }, '$40.00 (from $44.20)'],
  [{ flat: '44.20', less: ['10'] }, '$34.20 (from $44.20)'],
  [{ flat: '44.20', less: ['FEE_UNIT'] }, '$26.93 (from $44.20)'],
  [{ flat: '44.20', less: ['40'], atLeast: '5', round: { to: '1', mode: 'up' } }, '$5.00 (from $44.20)'],
])('%j stands on the line as %s', (charge, expected) => {
  expect(chargedWords(charge.flat!, charging(charge))).toBe(expected)
})

test('what a line or an input of the request takes off is not computed', () => {
  const byLine = charging({ flat: '44.20', less: ['line:CTP'] })
  expect(chargedWords('44.20', byLine)).toBe('$44.20')
  expect(chargedFigure('44.20', byLine)).toEqual({ unit: 'cents', value: '4420' })
  expect(labelForTerm('amount', { ...byLine, term: { months: 12, factor: '1' } })).toBe('amount')
})

test('the data beside the words has the cents of the line', () => {
  expect(chargedFigure('44.20', charging({ flat: '44.20', atLeast: '50' }))).toEqual({
    unit: 'cents',
    value: '4420',
    charged: { cents: '5000' },
  })
})
