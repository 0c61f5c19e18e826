import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { keepQuoting, quoteOf, sedan, tokenOf } from './quotes.ts'
import { applyText, rateSet, untilCondition } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

// Thresholds invented for this test: the real ones are in rates/sets/au/fy27.yaml.
const FEDERAL: [RegExp, string][] = [
  [/value: "80809"/, 'value: "80000"'],
  [/\n {2}examples:[\s\S]*$/, '\n'],
]
let stack: Stack
let token: string

beforeAll(async () => {
  stack = await startStack()
  token = await tokenOf(stack, 'dealer')
})
afterAll(() => stack?.stop())

/** A sedan for $80,500: between the invented threshold and the real one. */
const between = {
  ...sedan,
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 8_050_000, kind: 'vehicle' }] },
}
const withoutExamples = (file: string) => rateSet(file, [/\n {2}examples:[\s\S]*?(?=\n {2}\w|$)/, exampleOf(file)])
const exampleOf = (file: string) => `
  examples:
    - name: Plates of a new car, whatever its price
      source: { kind: formula, name: ${file.startsWith('au-vic') ? 'vicroads-plates-2026' : ''} }
      given: { dutiable: "30000", bodyType: sedan, fuelType: ICE, cylinders: "4", co2GPerKm: "150", postcode: "3000" }
      expect: { PLATES: "44.20" }
`

test('a federal change that breaks a Victorian example is held, and goes live in one flip with the fitting Victorian change', async () => {
  const before = await quoteOf(stack, token, between)
  expect(before.body.categories.onRoad.map(({ component }) => component)).not.toContain('LUXURY_CAR_TAX')
  const quoting = keepQuoting(stack, token, between)

  await applyText(stack, rateSet('au/fy27.yaml', ...FEDERAL))
  const held = await untilCondition(stack, 'au-fy27', 'Ready', 'False')
  expect(held.reason).toBe('BreaksImporter')
  expect(held.message).toContain('au-vic-fy27')
  expect((await quoteOf(stack, token, between)).body).toEqual(before.body)

  await applyText(stack, withoutExamples('au-vic/fy27.yaml'))
  await untilCondition(stack, 'au-fy27', 'Ready', 'True')
  await waitFor('the new threshold', () =>
    quoting.answers.at(-1)!.body.categories.onRoad.some(({ component }) => component === 'LUXURY_CAR_TAX'),
  )
  const answers = await quoting.stop()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const after = await quoteOf(stack, token, between)
  // 30 % of 500 dollars, and above the threshold duty of $10.40 for each of 403.25, so 404, times $200 (80,500 + 150).
  const charges = after.body.categories.onRoad
  expect(charges.find(({ component }) => component === 'LUXURY_CAR_TAX')?.value).toBe(150_00)
  expect(charges.find(({ component }) => component === 'STAMP_DUTY')?.value).toBe(404 * 10_40)
  // Nobody saw half: a quote has both the tax and the higher duty, or neither.
  const seen = new Set(answers.map(({ body }) => body.totals.driveAway))
  expect(seen).toEqual(new Set([before.body.totals.driveAway, after.body.totals.driveAway]))
})

test('the same two changes put back in the other order go live in one flip too', async () => {
  const before = await quoteOf(stack, token, between)
  const quoting = keepQuoting(stack, token, between)
  // The Victorian examples prove the old threshold: held until the federal set has it again.
  await applyText(stack, rateSet('au-vic/fy27.yaml'))
  await untilCondition(stack, 'au-vic-fy27', 'Ready', 'False')
  await applyText(stack, rateSet('au/fy27.yaml'))
  await untilCondition(stack, 'au-fy27', 'Ready', 'True')
  await untilCondition(stack, 'au-vic-fy27', 'Ready', 'True')
  await waitFor('the old price', () => quoting.answers.at(-1)!.body.totals.driveAway !== before.body.totals.driveAway)
  const answers = await quoting.stop()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.totals.driveAway)).size).toBe(2)
})
