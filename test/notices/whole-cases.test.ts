import { expect, test } from 'vitest'
import { wholeCases } from '#notices/whole-cases.ts'
import { changesOf } from '#rates/diff/figures.ts'
import type { Case } from '#rates/engine/grammar/rule.ts'
import { sets } from '../rates/properties/sets.ts'

const ute: Case = { when: { bodyType: ['ute'] }, charge: { flat: '10.00', round: { to: '1' } } }
const van: Case = { when: { bodyType: ['van'] }, charge: { flat: '20.00', round: { to: '1' } } }
const rest: Case = { charge: { flat: '30.00' } }

/** What is told when the plates of one set are priced by other cases. */
function told(old: Case[], now: Case[]) {
  const [before, after] = [old, now].map((cases) => {
    const all = structuredClone(sets.filter(({ financialYear }) => financialYear === '2026-2027'))
    const vic = all.find(({ pricingCode }) => pricingCode === 'AU_VIC')!
    vic.rules.find(({ component }) => component === 'PLATES')!.cases = cases
    return all
  })
  const changes = wholeCases(changesOf(before!, after!, '2026-11-22'))
  return changes.map(({ label, old: was, new: is }) => `${label}: ${was} -> ${is}`)
}

test('a case that ends is one change, of what was charged', () => {
  expect(told([ute, van, rest], [ute, rest])).toEqual(['bodyType van: $20.00 -> as in all other cases'])
})

test.each<[string, Case, string]>([
  ['an exemption', { exempt: { reason: 'Free.', line: 'omit' } }, 'no charge'],
  ['a case without a price', { unpriced: 'Not known.' }, 'not priced (Not known.)'],
  ['a refusal', { reject: 'INVALID_VEHICLE_INPUT' }, 'refused'],
  ['a case that charges in another way', { charge: { whole: { percent: '1' } } }, '1 %'],
])('the end of %s says what was charged, and what the others are charged', (_, one, words) => {
  const electric: Case = { when: { fuelType: ['BEV'] }, ...one }
  expect(told([electric, rest], [rest])).toEqual([`fuelType BEV: ${words} -> as in all other cases: $30.00`])
})

test('the end of a dearer case says what its vehicles were charged, and what they are charged', () => {
  const electric: Case = { when: { fuelType: ['BEV'] }, charge: { flat: '90.00' } }
  expect(told([electric, rest], [rest])).toEqual(['fuelType BEV: amount: $90.00 -> $30.00'])
  expect(told([rest], [electric, rest])).toEqual(['fuelType BEV: amount: $30.00 -> $90.00'])
})

test('a case that charged what all others are charged ends nothing that is charged', () => {
  const electric: Case = { when: { fuelType: ['BEV'] }, ...rest }
  expect(told([electric, rest], [rest])).toEqual([])
  expect(told([rest], [electric, rest])).toEqual([])
})

test('of a case that ends with its rule nothing is charged in its stead', () => {
  const changes = told([ute, rest], [])
  expect(changes).toContain('bodyType ute: $10.00 -> null')
})

test('a case that begins is its figures', () => {
  expect(told([ute, rest], [ute, van, rest])).toEqual([
    'bodyType van: amount: null -> $20.00',
    'bodyType van: rounded: null -> to $1, half up',
  ])
})

test('a part of a case that ends is no end of the case', () => {
  const unrounded = { ...van, charge: { flat: '20.00' } }
  expect(told([ute, van, rest], [ute, unrounded, rest])).toEqual(['bodyType van: rounded: to $1, half up -> null'])
})

test('another order of the same cases is said', () => {
  expect(told([ute, van, rest], [van, ute, rest])).toEqual([
    'cases: bodyType ute | bodyType van | otherwise -> bodyType van | bodyType ute | otherwise',
  ])
})
