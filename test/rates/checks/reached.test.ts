import { expect, test } from 'vitest'
import { changed, faultsOf, state } from './sample.ts'

const charge = { flat: '1' }

/** The faults of the good set when its second rule has these cases, the last one without a when added. */
function faultsOfCases(whens: object[], rest: object = {}): string[] {
  const cases = [...whens.map((when) => ({ when, charge })), { charge }]
  const missing = ['seats', 'cylinders', 'gvmKg', 'tareKg', 'fuelType', 'co2GPerKm', 'manufactureDate'].map((fact) => ({
    fact,
    reject: true,
  }))
  const classes = [
    ...state().classes!,
    { name: 'known', anyOf: [{ present: ['co2GPerKm'] }] },
    { name: 'clean', anyOf: [{ class: ['known'], co2GPerKm: { max: '65' } }] },
    { name: 'heavy', anyOf: [{ gvmKg: { above: '4500' } }] },
  ]
  return faultsOf(changed({ 'rules[1].cases': cases, 'rules[1].missing': missing, classes, ...rest }))
}

const hidden = (position: number) => [
  `cases-reached rules[1].cases[${position}]: the earlier cases match everything that this case would match`,
]
const impossible = (position: number) => [
  `cases-reached rules[1].cases[${position}]: no vehicle that the rule applies to meets this condition`,
]

test('a case inside an earlier one is refused', () => {
  expect(faultsOfCases([{ seats: { max: '9' } }, { seats: { max: '5' } }])).toEqual(hidden(1))
})

test('a case that reaches beyond an earlier one is taken', () => {
  expect(faultsOfCases([{ seats: { max: '5' } }, { seats: { max: '9' } }])).toEqual([])
})

test('a case that several earlier ones cover together is refused', () => {
  expect(faultsOfCases([{ bodyType: ['sedan'] }, { bodyType: ['suv'] }, { class: ['passenger'] }])).toEqual(hidden(2))
})

test('a last case is refused when those before it split every whole number of cylinders', () => {
  expect(faultsOfCases([{ cylinders: { max: '4' } }, { cylinders: { min: '5' } }])).toEqual(hidden(2))
})

test('an edge that both sides exclude leaves a gap, and the last case is reached through it', () => {
  expect(faultsOfCases([{ gvmKg: { above: '4500' } }, { gvmKg: { below: '4500' } }])).toEqual([])
})

test('an edge that one side includes leaves no gap', () => {
  expect(faultsOfCases([{ class: ['heavy'] }, { gvmKg: { max: '4500' } }])).toEqual(hidden(2))
})

test('a condition that contradicts itself through a class is refused', () => {
  expect(faultsOfCases([{ class: ['passenger'], bodyType: ['bus'] }])).toEqual(impossible(0))
})

test("a condition that contradicts the rule's own when is refused", () => {
  expect(faultsOfCases([{ registrationType: ['transfer'] }])).toEqual(impossible(0))
})

test('a rule that no vehicle can meet is refused', () => {
  expect(
    faultsOfCases([], {
      'rules[1].when': { bodyType: ['bus'], not: ['bus'] },
      'classes[0]': { name: 'bus', anyOf: [{ bodyType: ['bus'] }] },
      'rules[0].cases[0].when.class': ['green'],
    }),
  ).toEqual(['cases-reached rules[1].when: no vehicle meets this condition'])
})

test('a case for what is not known is reached behind one that tests presence', () => {
  expect(faultsOfCases([{ class: ['known'] }, { fuelType: ['BEV'] }])).toEqual([])
})

test('a case for what is known, behind one that takes all that is known, is refused', () => {
  expect(faultsOfCases([{ class: ['known'] }, { class: ['clean'] }])).toEqual(hidden(1))
})

test('a case that a derived fact or an age decides is reached', () => {
  const derived = { derived: [{ name: 'LOAD_KG', above: '2000' }] }
  expect(
    faultsOfCases([
      derived,
      { age: { from: 'manufactureDate', moreThanYears: 2 } },
      { age: { from: 'manufactureDate', moreThanYears: 1 } },
    ]),
  ).toEqual([])
  expect(
    faultsOfCases([
      { age: { from: 'manufactureDate', moreThanYears: 1 } },
      { age: { from: 'manufactureDate', moreThanYears: 2 } },
    ]),
  ).toEqual(hidden(1))
})

test('a term that is not offered cannot be reached', () => {
  expect(faultsOfCases([{ termMonths: { max: '3' } }])).toEqual(impossible(0))
  expect(faultsOfCases([{ termMonths: { max: '6' } }])).toEqual([])
})

test('a case between two values of the basis is reached, and one above what is left is not', () => {
  const onValue = { 'rules[1].basis': 'VALUE' }
  expect(faultsOfCases([{ basis: { upTo: '1000' } }, { basis: { upTo: '2000' } }], onValue)).toEqual([])
  expect(faultsOfCases([{ basis: { upTo: '2000' } }, { basis: { upTo: '1000' } }], onValue)).toEqual(hidden(1))
  expect(faultsOfCases([{ basis: { upTo: '1000' } }, { basis: { above: '1000' } }], onValue)).toEqual(hidden(2))
})
