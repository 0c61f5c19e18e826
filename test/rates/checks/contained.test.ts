import { expect, test } from 'vitest'
import type { Condition } from '#rates/engine/grammar/condition.ts'
import type { NamedClass } from '#rates/engine/grammar/rate-set.ts'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import { bounded, contained, MOST_FAULTS } from '#rates/checks/contained.ts'
import { canHold, createFormulas } from '#rates/checks/formula.ts'
import { postcodesOnce } from '#rates/checks/zones-reached.ts'
import { subjectOf, type Check } from '#rates/checks/subject.ts'
import { changed, faultsOf, federal, state } from './sample.ts'

const subject = () => subjectOf(state(), [federal()])

test('a check that throws is a fault that names the check', () => {
  const bandsAgree: Check = () => {
    throw new RangeError('division by zero')
  }
  expect(contained(bandsAgree, subject())).toEqual([
    { check: 'check-crashed', path: '', message: 'the check bands-agree crashed with RangeError: division by zero' },
  ])
})

test('of very many faults the first are given, and how many more there are', () => {
  const faults = Array.from({ length: MOST_FAULTS + 50 }, (_, at) => ({ check: 'c', path: `p${at}`, message: 'm' }))
  const given = bounded(faults)
  expect(given).toHaveLength(MOST_FAULTS)
  expect(given.slice(0, -1)).toEqual(faults.slice(0, MOST_FAULTS - 1))
  expect(given.at(-1)).toMatchObject({ check: 'more-faults', message: '51 more faults are not listed' })
  expect(bounded(faults.slice(0, MOST_FAULTS))).toEqual(faults.slice(0, MOST_FAULTS))
})

/** Classes that each name the one before twice, as rate sets may: so many names, and a power of two of tests. */
const doubling = (count: number): NamedClass[] => [
  { name: 'c0', anyOf: [{ bodyType: ['suv'] }] },
  ...Array.from({ length: count }, (_, at) => ({
    name: `c${at + 1}`,
    anyOf: [{ class: [`c${at}`] }, { class: [`c${at}`], bodyType: ['sedan' as const] }],
  })),
]

test('classes that double with each name are refused before a check follows them', () => {
  const spec = changed({ classes: [...state().classes!, ...doubling(40)] })
  const faults = faultsOf({ ...spec, rules: [{ ...spec.rules[0]!, when: { not: ['c40'] } }, spec.rules[1]!] })
  expect(faults[0]).toMatch(/^expansions-bounded classes\[\d+\]: this part has \d+ tests once its classes/)
})

test('some doubling is no fault', () => {
  expect(faultsOf(changed({ classes: [...state().classes!, ...doubling(6)] }))).toEqual([])
})

test('bases that double with each name are refused', () => {
  const bases = Array.from({ length: 15 }, (_, at) => ({
    name: `B${at}`,
    cases: [{ sum: at === 0 ? ['dutiable'] : [`basis:B${at - 1}`, `basis:B${at - 1}`] }],
  }))
  expect(faultsOf(changed({ bases: [...state().bases!, ...bases] }))[0]).toMatch(/^expansions-bounded bases\[\d+\]/)
})

test('a set in which every rule is large is refused as a whole', () => {
  const classes = [...state().classes!, ...doubling(8)]
  const cases = [
    ...Array.from({ length: 39 }, () => ({ when: { class: ['c8'] }, charge: { flat: '1' } })),
    { charge: { flat: '2' } },
  ]
  const rules = Array.from({ length: 30 }, (_, at) => ({ ...state().rules[1]!, component: `FEE_${at}`, cases }))
  const faults = faultsOf(changed({ classes, rules: [...state().rules, ...rules] }))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^expansions-bounded rules\[\d+\]: with the rest of the set, this part has/)
})

test('one search budget covers all rules of a set', () => {
  // Whether a later case can hold is only decided when the last variable is chosen: each search is as long as can be.
  const wide = {
    bodyType: ['suv'],
    fuelType: ['ICE'],
    condition: ['new'],
    customerType: ['consumer'],
    usageType: ['consumer'],
    seats: { min: '5', max: '7' },
    gvmKg: { min: '3000', max: '4000' },
    co2GPerKm: { max: '120' },
  }
  const steps = Array.from({ length: 37 }, (_, at) => ({
    when: { tareKg: { max: String(at * 10 + 1) } },
    charge: { flat: '2' },
  }))
  const cases = [
    { when: { ...wide, tareKg: { max: '1' } }, charge: { flat: '1' } },
    { when: { tareKg: { min: '0' } }, charge: { flat: '2' } },
    ...steps,
    { charge: { flat: '3' } },
  ]
  const rules = Array.from({ length: 70 }, (_, at) => ({ ...state().rules[1]!, component: `HOSTILE_${at}`, cases }))
  const spec = changed({ rules: [...state().rules, ...rules] })
  // With a budget for each case this takes three minutes, and the test its time limit.
  expect(checkRateSet(spec, [federal()]).length).toBeLessThanOrEqual(MOST_FAULTS)
})

test('a search ends when the budget is spent, and what it leaves open has the benefit of the doubt', () => {
  const formulas = createFormulas(subject(), '2026-07-01')
  const impossible = { bodyType: ['suv'], fuelType: ['ICE'], customerType: ['consumer'], seats: { min: '9', max: '2' } }
  const formula = formulas.of(impossible as Condition)
  expect(canHold(formula, { tests: 100_000 })).toBe(false)
  const budget = { tests: 20 }
  expect(canHold(formula, budget)).toBe(true)
  expect(budget.tests).toBeLessThanOrEqual(0)
  const spent = budget.tests
  expect(canHold(formula, budget)).toBe(true)
  expect(budget.tests).toBe(spent)
})

test('zones of the largest size are judged in one pass', () => {
  const postcodes = Array.from({ length: 200 }, () => '0000-9999')
  const zones = Array.from({ length: 10 }, (_, list) => ({
    name: `Z${list}`,
    values: Array.from({ length: 20 }, (_, zone) => ({ zone: `A${zone}`, postcodes })),
  }))
  const faults = postcodesOnce(subjectOf(changed({ zones }), [federal()]))
  expect(faults).toHaveLength(10 * 20 * 199)
  expect(faults[0]?.message).toBe('0000-9999 is already in 0000-9999 of A0')
})

test('a parameter of zero divides nothing', () => {
  const values = [
    { value: '1', evidence: 'official', sources: ['act'] },
    { value: '0.00', startDate: '2027-01-01', evidence: 'official', sources: ['act'] },
  ]
  const parameters = [...state().parameters!, { name: 'UNIT', unit: 'AUD', values }]
  const charge = { whole: { rate: '2', per: '100 UNIT' } }
  expect(faultsOf(changed({ parameters, 'rules[0].cases[0].charge': charge }))).toEqual([
    'divisors-positive rules[0].cases[0].charge.whole.per: 100 UNIT is not above zero on 2027-01-01',
  ])
})

test('GST is a part of the line', () => {
  expect(faultsOf(changed({ 'rules[1].gst': '11/11' }))).toEqual([
    'gst-share rules[1].gst: 11/11 is not less than the whole line',
  ])
})

test('an example beyond what can be priced fails, and does not end the check', () => {
  const charge = { whole: { rate: '999999999', per: '0.000001' } }
  const example = { ...state().examples![0]!, given: { dutiable: '999999999', bodyType: 'sedan', fuelType: 'BEV' } }
  const faults = checkRateSet(changed({ 'rules[0].cases[0].charge': charge, examples: [example] }), [federal()])
  expect(faults).toMatchObject([{ check: 'examples-pass', path: 'examples[0]' }])
  expect(faults[0]?.message).toContain('2^53')
})

test('a name of a million letters is refused without a search for what was meant', () => {
  const name = 'X'.repeat(1_000_000)
  const faults = checkRateSet(changed({ 'examples[0].expect': { [name]: '1.00' } }), [federal()])
  expect(faults).toMatchObject([{ check: 'references-resolve' }])
  expect(JSON.stringify(faults).length).toBeLessThan(3000)
})
