import { describe, expect, test } from 'vitest'
import { IncompleteQuote } from '../../../rates/engine/answer.ts'
import { quote } from '../../../rates/engine/quote/quote.ts'
import { solveTarget } from '../../../rates/engine/target/target.ts'
import { priced, request, rule, set, snapshotOf } from './small-set.ts'

const flat = (dollars: string) => ({ charge: { flat: dollars } })
const byMass = rule({
  component: 'FEE',
  name: 'Fee',
  missing: [{ fact: 'tareKg', unpriced: 'tareKg not sent: fee not priced.' }],
  cases: [{ charge: { units: { of: 'tareKg', per: '100', part: 'up', rate: '1' } } }],
})
const ofBuses = rule({
  component: 'PREMIUM',
  name: 'Premium',
  missing: [{ fact: 'bodyType', assume: 'sedan' }],
  cases: [{ when: { bodyType: ['bus'] }, unpriced: 'The premium of a bus was not found.' }, flat('5')],
})
const ofYears = rule({ component: 'LEVY', name: 'Levy', cases: [flat('5')], terms: [{ months: 12, factor: '1' }] })
const onPremium = rule({
  component: 'DUTY_ON_PREMIUM',
  name: 'Duty on premium',
  basis: 'PREMIUM_PAID',
  cases: [{ charge: { whole: { percent: '10' } } }],
})
const spec = set({
  bases: [{ name: 'PREMIUM_PAID', cases: [{ sum: ['line:PREMIUM'] }] }],
  rules: [byMass, ofBuses, ofYears, onPremium],
})
const complete = request(1, { vehicleGeneric: { tareKg: 100 } })
const of = (asked: ReturnType<typeof request>) => priced(spec, asked).answer.metadata
const REJECT = { options: { incomplete: 'reject' } } as const

describe('metadata.complete is false when a component that is due has no price, and metadata.unpriced lists each', () => {
  test('all priced', () => {
    expect(of(complete)).toMatchObject({ complete: true, unpriced: [] })
  })

  test('missing_fact names the field', () => {
    const { complete, unpriced, assumptions } = of(request(1))
    const reason = 'tareKg not sent: fee not priced.'
    const path = '/vehicleGeneric/tareKg'
    expect(complete).toBe(false)
    expect(unpriced).toEqual([{ component: 'FEE', pricingCode: 'AU_XX', because: 'missing_fact', path, reason }])
    expect(assumptions).toContainEqual({ kind: 'unpriced', path, component: 'FEE', assumed: null, reason })
  })

  test('no_figure, and a component that needs the one without a figure has none either', () => {
    const { unpriced } = of(request(1, { vehicleGeneric: { tareKg: 100, bodyType: 'bus' } }))
    expect(unpriced).toMatchObject([
      { component: 'PREMIUM', because: 'no_figure', reason: 'The premium of a bus was not found.' },
      { component: 'DUTY_ON_PREMIUM', because: 'no_figure' },
    ])
  })

  test('not_supported: a term that the component does not have', () => {
    const short = request(1, { vehicleGeneric: { tareKg: 100 }, registration: { termMonths: 6 } })
    expect(of(short).unpriced).toMatchObject([
      { component: 'LEVY', because: 'not_supported', path: '/registration/termMonths' },
    ])
  })
})

test('an empty quote is not complete, and lists every charge of the nearest year', () => {
  const far = request(1, { registration: { startDate: '2040-01-01' } })
  const { complete, unpriced, warnings, assumptions } = of(far)
  expect(complete).toBe(false)
  expect(unpriced.map(({ component }) => component)).toEqual(['FEE', 'PREMIUM', 'LEVY', 'DUTY_ON_PREMIUM'])
  for (const each of unpriced) expect(each).toMatchObject({ path: '/registration/startDate', reason: warnings[0] })
  expect(assumptions).toMatchObject([{ kind: 'unpriced', path: '/registration/startDate' }])
  expect(() => quote({ ...far, ...REJECT }, snapshotOf(spec))).toThrow(IncompleteQuote)
})

test('options.incomplete reject: INCOMPLETE_QUOTE, one part per component', () => {
  const asked = request(1, { vehicleGeneric: { bodyType: 'bus' } })
  let fault: unknown
  try {
    quote({ ...asked, ...REJECT }, snapshotOf(spec))
  } catch (thrown) {
    fault = thrown
  }
  expect(fault).toMatchObject({
    code: 'INCOMPLETE_QUOTE',
    parts: [
      { component: 'FEE', path: '/vehicleGeneric/tareKg' },
      { component: 'PREMIUM', path: '' },
      { component: 'DUTY_ON_PREMIUM', path: '' },
    ],
  })
  expect(quote({ ...complete, ...REJECT }, snapshotOf(spec)).metadata.complete).toBe(true)
  expect(quote({ ...asked, options: { incomplete: 'answer' } }, snapshotOf(spec)).metadata.complete).toBe(false)
})

test('a target says whether its solution is complete, and is refused when the request wants a complete one', () => {
  const target = { driveAway: 100_000 }
  expect(solveTarget(complete, target, snapshotOf(spec)).solution.complete).toBe(true)
  const { solution, quote: at } = solveTarget(request(1), target, snapshotOf(spec))
  expect([solution.complete, at.metadata.complete]).toEqual([false, false])
  expect(() => solveTarget({ ...request(1), ...REJECT }, target, snapshotOf(spec))).toThrow(IncompleteQuote)
})
