import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import { withFollowers } from '#rates/diff/followers.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const victoria = () =>
  structuredClone(sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!)

function told(edit: (copy: RateSetSpec) => void) {
  const copy = victoria()
  edit(copy)
  const changes = withFollowers(changesOf([victoria()], [copy], '2026-11-22'), [copy])
  return Object.fromEntries(changes.map(({ component, followers }) => [component, followers]))
}

test('a component that is computed from another line is named where that line changes', () => {
  expect(told(({ termScales }) => void (termScales![0]!.terms[2]!.factor = '1/3'))).toEqual({
    CTP: [{ component: 'INSURANCE_DUTY', percent: '10' }],
    REGISTRATION: undefined,
  })
})

// 10 % of the charge for twelve months, $551 and $495.
test('cents of a share are those of the line that changes', () => {
  const said = told(({ rules }) => {
    const [, { amounts }] = rules
      .find(({ component }) => component === 'CTP')!
      .cases.flatMap(({ charge }) => charge?.table?.rows ?? []) as [unknown, { amounts: string[] }]
    amounts[0] = '600'
  })
  expect(said['CTP']).toEqual([{ component: 'INSURANCE_DUTY', percent: '10', charged: { from: 4950, to: 6000 } }])
})

test('a component of another set that is computed from the line is named with its set', () => {
  const federal = sets.find((one) => one.pricingCode === 'AU' && one.financialYear === '2026-2027')!
  const copy = structuredClone(federal)
  copy.parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!.values[0]!.value = '80999'
  const states = [victoria(), sets.find((one) => one.pricingCode === 'AU_WA' && one.financialYear === '2026-2027')!]
  const changes = withFollowers(changesOf([federal, ...states], [copy, ...states], '2026-11-22'), [copy, ...states])
  const ofTax = changes.find(({ component }) => component === 'LUXURY_CAR_TAX')
  expect(ofTax?.followers).toEqual([
    { component: 'STAMP_DUTY', pricingCode: 'AU_VIC' },
    { component: 'STAMP_DUTY', pricingCode: 'AU_WA' },
  ])
})

test('a share that differs from case to case is not named', () => {
  const said = told(({ termScales, rules }) => {
    termScales![0]!.terms[2]!.factor = '1/3'
    rules.find(({ component }) => component === 'INSURANCE_DUTY')!.cases[0]!.charge = { whole: { percent: '11' } }
  })
  expect(said['CTP']).toEqual([{ component: 'INSURANCE_DUTY' }])
})

test('a zone that is assumed names the components that it selects, and those that follow them', () => {
  const said = told(({ missing }) => void (missing!.find(({ zone }) => zone === 'TAC')!.assume = 'RURAL'))
  expect(said).toEqual({ 'missing facts': [{ component: 'CTP' }, { component: 'INSURANCE_DUTY' }] })
})
