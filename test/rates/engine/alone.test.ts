import { expect, test } from 'vitest'
import type { Case } from '../../../rates/engine/grammar/rule.ts'
import { solveTarget } from '../../../rates/engine/target/target.ts'
import { priced, request, rule, set, snapshotOf } from './small-set.ts'

// `alone:` in a basis: the component if the lines of the kinds that the case subtracts were not sold.

test('a fact is named where only the tax inside a list price depends on it: federal.md, two amounts of luxury car tax', () => {
  const warning = 'Consumption not sent: the lower threshold is used.'
  const taxOn = (threshold: string) => ({ charge: { bands: [{ upTo: threshold, flat: '0' }, { excess: { percent: '30' } }] } })
  const tax = rule({
    component: 'TAX',
    basis: 'PRICE',
    missing: [{ fact: 'fuelConsumptionLPer100km', assume: '9', warning }],
    cases: [{ when: { fuelConsumptionLPer100km: { max: '3.5' } }, ...taxOn('90') }, taxOn('80')],
  })
  const list = { name: 'LIST', cases: [{ sum: ['dutiable', 'alone:TAX'], minus: ['kind:discount'] }] }
  const spec = set({ bases: [list], rules: [tax, rule({ basis: 'LIST', cases: [{ charge: { whole: { percent: '10' } } }] })] })
  const sold = (vehicleGeneric: object) => ({
    vehicleGeneric,
    pricingInputs: { dutiable: [8_800, -900].map((value) => ({ description: 'Line', value })) },
  })
  // 0.3 x (88 - 80) = 2.40 inside the list price; 10 % of 90.40. The sale at 79 bears no tax.
  const { lines, assumptions } = priced(spec, request(1, sold({})))
  expect(lines).toEqual({ TAX: 0, DUTY: 904 })
  expect(assumptions).toMatchObject([{ component: 'TAX', path: '/vehicleGeneric/fuelConsumptionLPer100km', assumed: 9 }])
  expect(priced(spec, request(1, sold({ fuelConsumptionLPer100km: 3.5 })))).toMatchObject({ lines: { TAX: 0, DUTY: 880 }, warnings: [] })
})

test('where the other component has no price on these lines, neither has the charge, whatever the sale has', () => {
  const dear: Case[] = [{ when: { basis: { above: '80' } }, unpriced: 'Above 80 no figure is known.' }, { charge: { flat: '5' } }]
  const list = { name: 'LIST', cases: [{ sum: ['dutiable', 'alone:TAX'], minus: ['kind:discount'] }] }
  const duty = rule({ basis: 'LIST', cases: [{ charge: { whole: { percent: '10' } } }] })
  const spec = set({ bases: [list], rules: [rule({ component: 'TAX', basis: 'PRICE', cases: dear }), duty] })
  const dutiable = [8_800, -900].map((value) => ({ description: 'Line', value }))
  const { lines, answer } = priced(spec, request(1, { pricingInputs: { dutiable } }))
  expect(lines).toEqual({ TAX: 500 })
  expect(answer.metadata.unpriced).toMatchObject([{ component: 'DUTY', because: 'no_figure' }])
})

test('a target is refused only where a higher value cannot be priced and may lie within it', () => {
  const tax = rule({
    component: 'TAX',
    basis: 'PRICE',
    missing: [{ fact: 'cylinders', reject: true }],
    cases: [
      { when: { basis: { upTo: '80' } }, charge: { flat: '0' } },
      { when: { cylinders: { max: '4' } }, charge: { flat: '0' } },
      { charge: { flat: '9' } },
    ],
  })
  const list = { name: 'LIST', cases: [{ sum: ['dutiable', 'alone:TAX'], minus: ['kind:discount'] }] }
  const spec = set({ bases: [list], rules: [tax, rule({ basis: 'LIST', cases: [{ charge: { whole: { percent: '10' } } }] })] })
  const dutiable = [5_000, -1_000].map((value) => ({ description: 'Line', value }))
  const asked = request(1, { pricingInputs: { dutiable } })
  const solved = (driveAway: number) => solveTarget(asked, { driveAway }, snapshotOf(spec)).solution
  // With the line at 80: 80 - 10 + 8. At 81 the tax inside the list price is not known: 81 - 10 + 8.10 at least.
  expect(solved(7_909)).toMatchObject({ solvedValue: 8_000, driveAway: 7_800 })
  expect(() => solved(7_910)).toThrow('cylinders is needed')
})
