import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteCase } from '#rates/files/cases.ts'
import { readEquivalents, type Equivalent } from '../../tools/mutants/equivalents.ts'
import type { Proof } from '../../tools/mutants/judge.ts'
import { outcomesOf, type Outcome } from '../../tools/mutants/outcomes.ts'
import { label, productSets } from '../../tools/mutants/sets.ts'
import { createTally } from '../../tools/mutants/tally.ts'
import { federal, state } from '../rates/checks/sample.ts'

/** The sample set with a levy of $10 that neither an example nor a check looks at. */
function withLevy(): RateSetSpec {
  const spec = state()
  const levy = structuredClone(federal().rules[0]!)
  return { ...spec, rules: [...spec.rules, { ...levy, component: 'LEVY', cases: [{ charge: { flat: '10' } }] }] }
}

const proofWith = (cases: readonly QuoteCase[]): Proof => ({
  spec: withLevy(),
  imports: [federal()],
  importers: [],
  cases,
})

const expectingLevy = (expected: Partial<QuoteCase>): QuoteCase => ({
  file: 'au-tas.yaml',
  line: 1,
  pricingCode: 'AU_TAS',
  name: 'the levy',
  source: 'made for this test',
  request: { date: '2026-08-10', dutiable: '20000', bodyType: 'sedan', fuelType: 'ICE', postcode: '7000' },
  figures: {},
  warnings: [],
  ruleIds: {},
  ...expected,
})

/** What finds the mutants of the levy, by what they change. */
function killersOfLevy(cases: readonly QuoteCase[]): Record<string, string> {
  const at = `rules.${withLevy().rules.length - 1}.`
  const own = [...outcomesOf(proofWith(cases))].filter(({ path }) => path.startsWith(at))
  return Object.fromEntries(own.map(({ path, operator, killer }) => [`${path.slice(at.length)} ${operator}`, killer]))
}

test('a figure, and a share of GST, that nothing looks at survive; each is killed by the case that states it', () => {
  expect(killersOfLevy([])).toEqual({ 'gst share': 'survived', 'cases.0.charge.flat figure': 'survived' })
  expect(killersOfLevy([expectingLevy({ figures: { LEVY: '10.00' } })])).toEqual({
    'gst share': 'survived',
    'cases.0.charge.flat figure': 'cases',
  })
  expect(killersOfLevy([expectingLevy({ figures: { LEVY: '10.00', 'gst:LEVY': '0.00' } })])).toEqual({
    'gst share': 'cases',
    'cases.0.charge.flat figure': 'cases',
  })
})

test('a case that the set itself fails kills no mutant: the set is refused', () => {
  expect(() => killersOfLevy([expectingLevy({ figures: { LEVY: '11.00' } })])).toThrow(
    'AU_TAS-2027 without a mistake is refused by its cases',
  )
})

const planted: Outcome = { set: 'AU_TAS-2027', path: 'rules.3.gst', operator: 'share', was: '"none"', killer: 'survived' }

const entry = (path: string, line: number): Equivalent => ({
  set: /.*/,
  path: new RegExp(`^(?:${path})$`),
  operator: /.*/,
  reason: 'for this test',
  line,
})

test('a survivor is counted and reported; one that is proved or listed is equivalent', () => {
  const tally = createTally([entry('rules\\.4\\.gst', 7)])
  expect(tally.take(planted)).toBe('survivor: AU_TAS-2027 rules.3.gst: share, was "none"')
  expect(tally.take({ ...planted, path: 'rules.4.gst' })).toBeUndefined()
  expect(tally.take({ ...planted, proved: 'Nothing is charged.' })).toBeUndefined()
  expect(tally.take({ ...planted, killer: 'checks' })).toBeUndefined()
  expect(tally.takeUnused()).toEqual([])
  expect(tally.summary()).toBe('4 mutants, killed by checks 1, examples 0, cases 0, equivalent 2, survivors 1')
})

test('an entry that no mutant is like any more counts as a survivor', () => {
  const tally = createTally([entry('rules\\.9\\.gst', 12)])
  tally.take({ ...planted, killer: 'cases' })
  expect(tally.takeUnused()).toEqual(['equivalents.yaml line 12: no mutant is like this any more; delete the entry'])
  expect(tally.survivors).toBe(1)
})

test('each entry of equivalents.yaml is about a set that there is', () => {
  const names = productSets().map(label)
  expect(readEquivalents().filter(({ set }) => !names.some((name) => set.test(name)))).toEqual([])
})
