import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import type { TargetAnswer } from '../../../rates/engine/target/target.ts'
import { contractServer } from './contract-server.ts'
import { inQueensland, priceOf, suv } from './requests.ts'

// "POST /v1/quote/target-drive-away" of the interface; its errors are in test/api/pricing/target.test.ts.
const { ask, quote } = contractServer()
type Body = Record<string, unknown>

async function solve(request: Body, target: Body): Promise<TargetAnswer> {
  const { status, body } = await ask<TargetAnswer>('POST', '/v1/quote/target-drive-away', {
    body: { ...request, target },
  })
  expect(status).toBe(200)
  return body
}
const lines = (...values: number[]) => ({
  pricingInputs: { dutiable: values.map((value, index) => ({ description: `line ${index}`, value })) },
})
const driveAwayOf = async (request: Body) => (await quote(request)).totals.driveAway
const lineOf = (answer: Quote, component: string) =>
  answer.categories.onRoad.find((line) => line.component === component)

test('The engine finds the highest value of the dutiable line whose drive-away does not exceed target.driveAway, on the multiple given by target.increment', async () => {
  for (const increment of [1, 100, 12345]) {
    const driveAway = priceOf(50_000) + 17
    const { solvedValue } = (await solve(suv(), { driveAway, increment })).solution
    expect(Math.abs(solvedValue % increment)).toBe(0)
    expect(await driveAwayOf(suv(lines(solvedValue)))).toBeLessThanOrEqual(driveAway)
    expect(await driveAwayOf(suv(lines(solvedValue + increment)))).toBeGreaterThan(driveAway)
  }
})

test('All other lines are left as sent. The solved line may be a price or a discount line and may become negative', async () => {
  const request = suv(lines(priceOf(45_000), 0, priceOf(1_500)))
  const { solution, quote: solved } = await solve(request, { driveAway: priceOf(45_000), adjustLineIndex: 1 })
  expect(solution.solvedValue).toBeLessThan(0)
  const sent = [priceOf(45_000), solution.solvedValue, priceOf(1_500)]
  expect(solved.categories.dutiable.map(({ value }) => value)).toEqual(sent)
  expect(solution).toMatchObject({ lineDescription: 'line 1', originalValue: 0 })
})

test('Every charge (duty steps, LCT, registration bands) is recalculated at the solved price', async () => {
  const plain = await quote(suv())
  const { solution, quote: solved } = await solve(suv(), { driveAway: priceOf(120_000) })
  expect(lineOf(plain, 'LUXURY_CAR_TAX')).toBeUndefined()
  expect(lineOf(solved, 'LUXURY_CAR_TAX')?.value).toBeGreaterThan(0)
  const { description } = solved.categories.dutiable[0]!
  const pricingInputs = { dutiable: [{ description, value: solution.solvedValue }] }
  expect(solved).toEqual(await quote(suv({ pricingInputs })))
})

// $8.40 for each $200 or part (Duties Act 2000, Vic), $3 for each $100 or part (Duties Act 2001, Qld, four cylinders): the
// next dollar above a step costs itself and the step.
test.each([
  ['200 dollars or part', suv(), priceOf(45_000), 840],
  ['100 dollars or part', inQueensland({ cylinders: 4 }), priceOf(40_000), 300],
])(
  'Duty is charged in steps (per %s): solution.exact is false when a shortfall remains',
  async (_step, request, price, duty) => {
    const atStep = await driveAwayOf({ ...request, ...lines(price) })
    expect(await driveAwayOf({ ...request, ...lines(price + 100) })).toBe(atStep + 100 + duty)
    const near = (await solve(request, { driveAway: atStep + duty })).solution
    expect(near).toMatchObject({ solvedValue: price, driveAway: atStep, shortfall: duty, exact: false })
    const met = (await solve(request, { driveAway: atStep })).solution
    expect(met).toMatchObject({ solvedValue: price, driveAway: atStep, shortfall: 0, exact: true })
  },
)

test('solution.adjustment: solvedValue minus originalValue; negative means the price has to come down', async () => {
  const dearer = (await solve(suv(), { driveAway: priceOf(60_000) })).solution
  const cheaper = (await solve(suv(), { driveAway: priceOf(30_000) })).solution
  for (const { adjustment, solvedValue, originalValue } of [dearer, cheaper]) {
    expect(originalValue).toBe(priceOf(45_000))
    expect(adjustment).toBe(solvedValue - originalValue)
  }
  expect([dearer.adjustment > 0, cheaper.adjustment < 0]).toEqual([true, true])
})

test('solution.iterations: Engine evaluations used', async () => {
  const { iterations } = (await solve(suv(), { driveAway: priceOf(50_000), increment: 1 })).solution
  expect(Number.isInteger(iterations)).toBe(true)
  expect(iterations).toBeGreaterThan(0)
})
