import { expect, test } from 'vitest'
import { PricingFault } from '#rates/engine/answer.ts'
import type { LineKind } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { solveTarget } from '#rates/engine/target/target.ts'
import { charging, request, rule, set, snapshotOf } from './small-set.ts'

const cents = (dollars: number) => Math.round(dollars * 100)

/** The solution in dollars: line value, drive-away, shortfall. */
function solve(
  spec: RateSetSpec,
  asked: QuoteRequest,
  driveAway: number,
  more: { index?: number; increment?: number } = {},
) {
  const { index: adjustLineIndex = 0, increment = 100 } = more
  const target = { driveAway: cents(driveAway), adjustLineIndex, increment }
  const { solvedValue, driveAway: reached, shortfall } = solveTarget(asked, target, snapshotOf(spec)).solution
  return [solvedValue / 100, reached / 100, shortfall / 100]
}

/** Code and path of the refusal. */
function refusal(solving: () => unknown): [string, string] {
  try {
    solving()
  } catch (error) {
    if (error instanceof PricingFault) return [error.code, error.path]
    throw error
  }
  throw new Error('there is an answer')
}

const line = (value: number, kind: LineKind) => ({ description: kind, value: cents(value), kind })
const lines = (...dutiable: ReturnType<typeof line>[]) => request(0, { pricingInputs: { dutiable } })

const perTwoHundred = charging({ whole: { rate: '8.40', per: '200' } })

test('duty by steps: on whole dollars a shortfall is left, to the cent it is not', () => {
  // 28,790 is 144 times 200 or part: 144 x 8.40 = 1,209.60.
  expect(solve(perTwoHundred, request(1), 30_000)).toEqual([28_790, 29_999.6, 0.4])
  expect(solve(perTwoHundred, request(1), 30_000, { increment: 1 })).toEqual([28_790.4, 30_000, 0])
})

/** Duties Act 2000 (Vic) s 218 at $80,567: 403 x 8.40 = 3,385.20 up to it, 403 x 10.40 = 4,191.20 one cent above. */
const cliff = charging({
  bands: [{ upTo: '80567', whole: { rate: '8.40', per: '200' } }, { whole: { rate: '10.40', per: '200' } }],
})

test.each([
  [83_952.2, [80_567, 83_952.2, 0]],
  [84_500, [80_567, 83_952.2, 547.8]],
  [84_758.2, [80_567, 83_952.2, 806]],
  [84_758.21, [80_567.01, 84_758.21, 0]],
])('a drive-away of %d within the range that no price reaches leads to the price at the edge', (target, expected) => {
  expect(solve(cliff, request(50_000), target, { increment: 1 })).toEqual(expected)
})

/** 10 % up to 50,000 and 2 % of all above: two prices lead to the same drive-away. */
const falling = charging({ bands: [{ upTo: '50000', whole: { percent: '10' } }, { whole: { percent: '2' } }] })

test.each([
  // 51,000 / 1.1 = 46,363.636…, whose duty is 4,636.36; above the edge the least is 50,000.01 + 1,000.00.
  [51_000, [46_363.64, 51_000, 0]],
  [51_000.01, [50_000.01, 51_000.01, 0]],
  [52_020, [51_000, 52_020, 0]],
  [55_000, [53_921.57, 55_000, 0]],
])('where duty falls at an edge, a drive-away of %d leads to the higher of the prices', (target, expected) => {
  expect(solve(falling, request(20_000), target, { increment: 1 })).toEqual(expected)
})

test('a price beyond which a line is not priced counts, as the quote there does', () => {
  const cases = [
    { when: { basis: { above: '50000' } }, unpriced: 'Not known.' },
    { charge: { whole: { percent: '10' } } },
  ]
  const spec = set({ rules: [rule({ basis: 'PRICE', cases })] })
  expect(solve(spec, request(1), 52_000)).toEqual([52_000, 52_000, 0])
  expect(solve(spec, request(1), 50_000)).toEqual([45_454, 49_999.4, 0.6])
})

test('duty on a price that contains another charge', () => {
  const spec = set({
    bases: [{ name: 'PAID', cases: [{ sum: ['dutiable', 'line:TAX'] }] }],
    rules: [
      rule({ basis: 'PAID', cases: [{ charge: { whole: { percent: '5' } } }] }),
      rule({
        component: 'TAX',
        basis: 'PRICE',
        cases: [{ charge: { bands: [{ upTo: '80000', flat: '0' }, { excess: { percent: '30' } }] } }],
      }),
    ],
  })
  // 90,000 + 30 % of 10,000 + 5 % of 93,000
  expect(solve(spec, request(1), 97_650)).toEqual([90_000, 97_650, 0])
})

const fee = charging({ flat: '1000' })

test('a discount line is solved, and the other lines stay as they were sent', () => {
  const asked = lines(line(40_000, 'vehicle'), line(-100, 'discount'))
  const target = { driveAway: cents(38_500), adjustLineIndex: 1 }
  const { solution, quote: answer } = solveTarget(asked, target, snapshotOf(fee))
  expect(solution).toEqual({
    lineDescription: 'discount',
    originalValue: -100_00,
    solvedValue: -2_500_00,
    adjustment: -2_400_00,
    driveAway: 38_500_00,
    shortfall: 0,
    exact: true,
    complete: true,
    iterations: expect.any(Number),
  })
  expect(answer.categories.dutiable.map(({ value }) => value)).toEqual([40_000_00, -2_500_00])
  expect(asked.pricingInputs.dutiable[1]?.value).toBe(-100_00)
})

test('lines outside the dutiable value are part of the drive-away', () => {
  const asked = request(1, { pricingInputs: { additional: [{ description: 'Mats', value: 250_00 }] } })
  expect(solve(fee, asked, 31_250)).toEqual([30_000, 31_250, 0])
})

test('the lowest value is the one at which the dutiable total is 0', () => {
  const asked = lines(line(5_000, 'vehicle'), line(35_000, 'accessory'))
  expect(solve(fee, asked, 1_000)).toEqual([-35_000, 1_000, 0])
  expect(refusal(() => solve(fee, asked, 999.99))).toEqual(['TARGET_NOT_ACHIEVABLE', '/target/driveAway'])
})

test('the value is a multiple of the increment below 0 too, so the lowest one is above the total of 0', () => {
  const asked = lines(line(5_000, 'vehicle'), line(35_001, 'accessory'))
  expect(solve(fee, asked, 1_001, { increment: 500_00 })).toEqual([-35_000, 1_001, 0])
  expect(refusal(() => solve(fee, asked, 1_000.99, { increment: 500_00 }))[0]).toBe('TARGET_NOT_ACHIEVABLE')
})

test('a line is at most a hundred million dollars, however far below the target that is', () => {
  const asked = lines(line(1, 'vehicle'), line(-5_000, 'discount'))
  expect(solve(fee, asked, 100_000_000)).toEqual([100_000_000, 99_996_000, 4_000])
})

test('other lines of more than a hundred million dollars less than nothing leave no value at all', () => {
  const asked = lines(line(1, 'vehicle'), line(-100_000_000, 'discount'), line(-1, 'discount'))
  expect(refusal(() => solve(fee, asked, 5_000))).toEqual(['TARGET_NOT_ACHIEVABLE', '/target/driveAway'])
})

const onBasis = (part: Partial<RateSetSpec>) =>
  set({ ...part, rules: [rule({ basis: 'VALUE', cases: [{ charge: { whole: { percent: '10' } } }] })] })

test('an amount that the line is taken off falls as the line rises', () => {
  const cases = [{ sum: ['listPrice'], minus: ['kind:disability_modification'] }]
  const spec = onBasis({ bases: [{ name: 'VALUE', cases }] })
  const dutiable = [line(50_000, 'vehicle'), line(0, 'disability_modification')]
  // 50,000 + 6,000 + 10 % of 44,000
  const asked = request(0, { pricingInputs: { dutiable, listPrice: 50_000_00 } })
  expect(solve(spec, asked, 60_400, { index: 1 })).toEqual([6_000, 60_400, 0])
})

test('below the market value duty does not move with the price', () => {
  const spec = onBasis({ bases: [{ name: 'VALUE', cases: [{ greatest: ['dutiable', 'marketValue'] }] }] })
  const asked = request(1, { pricingInputs: { marketValue: 60_000_00 } })
  expect(solve(spec, asked, 56_000)).toEqual([50_000, 56_000, 0])
  expect(solve(spec, asked, 77_000)).toEqual([70_000, 77_000, 0])
})

test('a concession that takes an amount off the basis is solved with', () => {
  const adjustments = [{ basis: 'VALUE', amountOff: '24000' }]
  const spec = onBasis({
    bases: [{ name: 'VALUE', cases: [{ sum: ['dutiable'] }] }],
    concessions: [{ type: 'C', label: 'C', description: 'C', evidence: 'official', sources: ['act'], adjustments }],
  })
  const asked = request(1, { customer: { concession: { hasConcession: true, type: 'C' } } })
  // 50,000 + 10 % of 26,000
  expect(solve(spec, asked, 52_600)).toEqual([50_000, 52_600, 0])
  expect(solve(spec, asked, 20_000)).toEqual([20_000, 20_000, 0])
})

/** Duty of 1 % up to 80,000 and 2 % above, and there a tax of used cars that asks for the date they were made. */
const usedTax = set({
  classes: [{ name: 'old', anyOf: [{ age: { from: 'manufactureDate', moreThanYears: 2 } }] }],
  rules: [
    rule({
      basis: 'PRICE',
      cases: [{ charge: { bands: [{ upTo: '80000', whole: { percent: '1' } }, { whole: { percent: '2' } }] } }],
    }),
    rule({
      component: 'TAX',
      basis: 'PRICE',
      missing: [{ fact: 'manufactureDate', reject: true }],
      cases: [
        { when: { basis: { upTo: '80000' } }, exempt: { reason: 'Not above.', line: 'omit' } },
        { when: { class: ['old'] }, exempt: { reason: 'Old.', line: 'omit' } },
        { charge: { bands: [{ upTo: '80000', flat: '0' }, { excess: { percent: '30' } }] } },
      ],
    }),
  ],
})
const used = request(200_000, { vehicleGeneric: { condition: 'used' } })

test('a used car is refused only where, even without the tax, the answer would lie above the threshold', () => {
  // One cent above the threshold the least is 80,000.01 + 2 % = 81,600.01.
  expect(solve(usedTax, used, 81_600, { increment: 1 })).toEqual([80_000, 80_800, 800])
  expect(refusal(() => solve(usedTax, used, 81_600.01, { increment: 1 }))).toEqual([
    'INVALID_VEHICLE_INPUT',
    '/vehicleGeneric/manufactureDate',
  ])
  const old = request(1, { vehicleGeneric: { condition: 'used', manufactureDate: '2020-01-01' } })
  expect(solve(usedTax, old, 91_800)).toEqual([90_000, 91_800, 0])
})

test.each([
  [{ driveAway: 0 }, '/target/driveAway'],
  [{ driveAway: 10_000_000_001 }, '/target/driveAway'],
  [{ driveAway: 1, increment: 0 }, '/target/increment'],
  [{ driveAway: 1, adjustLineIndex: 1 }, '/target/adjustLineIndex'],
])('%o is INVALID_TARGET', (target, path) => {
  expect(refusal(() => solveTarget(request(1), target, snapshotOf(fee)))).toEqual(['INVALID_TARGET', path])
})

test('a request that gives an empty quote is INVALID_TARGET', () => {
  const asked = request(1, { registration: { startDate: '2031-01-01' } })
  expect(refusal(() => solve(fee, asked, 5_000))).toEqual(['INVALID_TARGET', '/registration/startDate'])
})

test('the quote is the one at the value found, explained where that is asked for', () => {
  const asked = request(1, { options: { explain: true } })
  const { quote: answer, solution } = solveTarget(asked, { driveAway: 30_000_00 }, snapshotOf(perTwoHundred))
  const there = request(solution.solvedValue / 100, { options: { explain: true } })
  expect(JSON.stringify(answer)).toBe(JSON.stringify(quote(there, snapshotOf(perTwoHundred))))
})

/** The same snapshot, counting how often its components are gone through. */
function counting(spec: RateSetSpec) {
  const count = { evaluations: 0 }
  const snapshot = snapshotOf(spec)
  const { AU_XX: jurisdiction } = snapshot.jurisdictions
  const year = jurisdiction!.years['2026-2027']!
  const { order, ...rest } = year.program
  const program = Object.defineProperty({ ...rest }, 'order', { get: () => (count.evaluations++, order) })
  const years = { '2026-2027': { ...year, program: program as typeof year.program } }
  return { count, snapshot: { ...snapshot, jurisdictions: { AU_XX: { ...jurisdiction!, years } } } }
}

test.each([30_000, 60_000, 90_000, 120_000, 400_000])(
  'iterations are the evaluations that were made, 15 to 35 on whole dollars, for a drive-away of %d',
  (driveAway) => {
    const { count, snapshot } = counting(cliff)
    const asked = request(1, { registration: { termMonths: 12 } })
    const { iterations } = solveTarget(asked, { driveAway: cents(driveAway) }, snapshot).solution
    expect(iterations).toBe(count.evaluations)
    expect(iterations).toBeGreaterThanOrEqual(15)
    expect(iterations).toBeLessThanOrEqual(35)
  },
)
