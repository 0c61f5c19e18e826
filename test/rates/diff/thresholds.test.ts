import { expect, test } from 'vitest'
import { subjectOf } from '#rates/checks/subject.ts'
import { resolverOn } from '#rates/diff/amounts.ts'
import { bodiesLeft } from '#rates/diff/bodies-left.ts'
import { chargeOn } from '#rates/diff/charge-on.ts'
import { changesOf } from '#rates/diff/figures.ts'
import { formatExact, parseExact } from '#rates/engine/exact.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const of = (pricingCode: string): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === pricingCode && one.financialYear === '2026-2027')!)

const lastCharge = (spec: RateSetSpec, component: string, at: number) =>
  spec.rules.find((rule) => rule.component === component)!.cases.at(at)!.charge!

// Duties Act 2000 (Vic) s 218: above the threshold $10.40 for each $200 or part, above $100,000 $14, above $150,000 $18.
// A New Tax System (Luxury Car Tax) Act 1999 s 5-15: 33 % of 10/11 of what is above $80,809.
test.each([
  ['AU_VIC', 'STAMP_DUTY', 3, '90000.01', '469040'],
  ['AU_VIC', 'STAMP_DUTY', 3, '100000', '520000'],
  ['AU_VIC', 'STAMP_DUTY', 3, '100000.01', '701400'],
  ['AU_VIC', 'STAMP_DUTY', 3, '150000.01', '1351800'],
  ['AU', 'LUXURY_CAR_TAX', -1, '100000', '575730'],
  ['AU', 'LUXURY_CAR_TAX', -1, '80809', '0'],
])('in %s, the line of %s by its case %i is on $%s, in cents, %s', (...[code, component, at, dollars, cents]) => {
  const spec = of(code)
  const charge = lastCharge(spec, component, at)
  const line = chargeOn(
    parseExact(String(Number(dollars) * 100)),
    charge,
    resolverOn(subjectOf(spec, sets), '2026-07-01'),
  )
  expect(formatExact(line!)).toBe(cents)
})

test('of a case that ends at an amount, a change names the charge beyond it, who does not bear it, and an example', () => {
  const [federal, victoria] = [of('AU'), of('AU_VIC')]
  const now = structuredClone(federal)
  now.parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!.values[0]!.value = '80999'
  const changes = changesOf([federal, victoria], [now, victoria], '2026-11-22')
  expect(changes.find(({ component }) => component === 'STAMP_DUTY')).toMatchObject({
    threshold: {
      of: 'DUTIABLE_VALUE',
      below: '$8.40 for each $200 or part of the whole value',
      above: '$10.40 for each $200 or part of the whole value',
      aboveTo: '$100,000',
      unless: ['primaryProducer', 'green'],
    },
    // 405 × $10.40, and 405 × $8.40.
    example: { of: 8_090_000, from: 421_200, to: 340_200, basis: 'DUTIABLE_VALUE' },
  })
})

test('the bodies that other cases leave are named where both sides of a number of seats are with them', () => {
  const { classes, rules } = of('AU_VIC')
  const conditions = rules.find(({ component }) => component === 'CTP')!.cases.flatMap(({ when }) => when ?? [])
  // Motorcycles and buses, taxis, above 4.5 t, passenger cars, goods vehicles for more than 2 t.
  expect(bodiesLeft(conditions, classes!)).toEqual({ bodies: ['ute', 'cab_chassis', 'van'], unless: [1, 2, 4] })
  expect(bodiesLeft([{ bodyType: ['people_mover'], seats: { max: '9' } }], classes!)).toBeUndefined()
  expect(bodiesLeft([{ usageType: ['taxi'] }], classes!)).toBeUndefined()
})
