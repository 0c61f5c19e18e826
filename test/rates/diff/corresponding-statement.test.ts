import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Case, Rule } from '#rates/engine/grammar/rule.ts'
import { sets } from '../properties/sets.ts'

/* What falls under another case, or under another rule, is compared with what that one charges. */

type Part = Partial<Pick<Rule, 'when' | 'priority' | 'cases'>>

/** Victoria, whose plates are charged by these rules. */
function victoria(financialYear: string, rules: Part[]): RateSetSpec {
  const spec = structuredClone(sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === financialYear)!)
  const plates = spec.rules.find(({ component }) => component === 'PLATES')!
  delete plates.when
  const others = spec.rules.filter(({ component }) => component !== 'PLATES')
  return { ...spec, rules: [...others, ...rules.map((rule) => ({ ...plates, ...rule }))] }
}

/** What a change of the rules for plates reads like in driveaway diff, without grades and sources. */
const diffed = (old: Part[], now: Part[]): string[] =>
  changesOf([victoria('2026-2027', old)], [victoria('2026-2027', now)], '2026-11-22')
    .filter(({ about, component }) => about !== 'evidence' && component === 'PLATES')
    .map((one) => `${one.label}: ${one.old} → ${one.new}`)

/** The same in /v1/changes, where one year has these rules and the next has others. */
const listed = (old: Part[], now: Part[]): string[] =>
  [...typedChanges([victoria('2025-2026', old), victoria('2026-2027', now)])]
    .flat()
    .filter(({ name }) => name === 'PLATES')
    .map(({ description, from, to }) => `${description}: ${from} → ${to}`)

const yearly = (flat: string): Case => ({ when: { termMonths: { min: '12' } }, charge: { flat } })
const electric = (flat: string): Case => ({ when: { fuelType: ['BEV'] }, charge: { flat } })
const all = (flat: string): Case => ({ charge: { flat } })

// As the prescribed flat fee of Western Australia was, which is $6.60 in each case of both years.
const merged: [Part[], Part[]] = [[{ cases: [yearly('6.60'), all('6.60')] }], [{ cases: [all('6.60')] }]]

test('of a case that becomes one with its neighbour no amount is told to end, or to begin', () => {
  const [apart, one] = merged
  expect(diffed(apart, one)).toEqual(['termMonths at least 12: applies to: termMonths at least 12 → otherwise'])
  expect(listed(apart, one)).toEqual(['termMonths at least 12: applies to: termMonths at least 12 → otherwise'])
  expect(diffed(one, apart)).toEqual(['termMonths at least 12: applies to: otherwise → termMonths at least 12'])
})

test('a case that falls under another, or out of it, has the amounts of both', () => {
  const [two, one] = [[{ cases: [electric('5'), all('6.60')] }], [{ cases: [all('6.60')] }]]
  expect(diffed(two, one)).toContain('fuelType BEV: amount: $5 → $6.60')
  expect(diffed(one, two)).toContain('fuelType BEV: amount: $6.60 → $5')
  expect(listed(one, two)).toContain('fuelType BEV: amount: 660 → 500')
})

test('a rule that is split into two is told of what one of them charges otherwise', () => {
  const taxis: Part = { when: { usageType: ['taxi'] }, priority: 200, cases: [all('9')] }
  const same: Part = { ...taxis, cases: [all('6.60')] }
  const whole: Part = { cases: [all('6.60')] }
  expect(diffed([whole], [taxis, whole])).toEqual([
    'usageType taxi: applies to: everything → usageType taxi',
    'usageType taxi: amount: $6.60 → $9',
  ])
  expect(diffed([same, whole], [whole])).toEqual(['usageType taxi: applies to: usageType taxi → everything'])
})

test.each<[string, Case, Case]>([
  [
    'partly',
    { when: { bodyType: ['sedan', 'suv'] }, ...all('9') },
    { when: { bodyType: ['suv', 'van'] }, ...all('6.60') },
  ],
  ['by an amount that may be another', electric('9'), { when: { basis: { upTo: '5000' } }, ...all('6.60') }],
])('what another case takes %s is not said to be charged by that one', (_, gone, other) => {
  const lines = diffed([{ cases: [gone, all('6.60')] }], [{ cases: [other, all('6.60')] }])
  expect(lines.filter((line) => line.includes('$9 → $'))).toEqual([])
})

test('a case that none of the others takes in is passed over', () => {
  const van: Case = { when: { bodyType: ['van'] }, ...all('1') }
  const sedan: Case = { when: { bodyType: ['sedan'] }, ...all('9') }
  expect(diffed([{ cases: [sedan, all('6.60')] }], [{ cases: [van, all('6.60')] }])).toContain(
    'bodyType sedan: amount: $9 → $6.60',
  )
})

test('where the general rule goes, the special one that is left keeps its name, and what the general one charged ends', () => {
  const special: Part = { when: { fuelType: ['BEV'] }, priority: 200, cases: [all('6.60')] }
  const both = [{ cases: [all('6.60')] }, special]
  expect(diffed(both, [special])).toEqual(['otherwise: amount: $6.60 → null'])
  expect(diffed([special], both)).toEqual(['otherwise: amount: null → $6.60'])
})
