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
