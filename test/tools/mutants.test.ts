import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteCase } from '#rates/files/cases.ts'
import { patternOf, readEquivalents, type Equivalent } from '../../tools/mutants/equivalents.ts'
import type { Proof } from '../../tools/mutants/judge.ts'
import { mutationsOf } from '../../tools/mutants/mutations.ts'
import { provedEquivalent } from '../../tools/mutants/proved.ts'
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
  const at = 'rules.LEVY.'
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

const planted: Outcome = {
  set: 'AU_TAS-2027',
  path: 'rules.LEVY.gst',
  operator: 'share',
  was: '"none"',
  killer: 'survived',
}

const entry = (path: string, line: number): Equivalent => ({
  set: /.*/,
  path: patternOf(path),
  operator: /.*/,
  reason: 'for this test',
  line,
})

test('a survivor is counted and reported; one that is proved or listed is equivalent', () => {
  const tally = createTally([entry('rules.FEE.*', 7)])
  expect(tally.take(planted)).toEqual(['survivor: AU_TAS-2027 rules.LEVY.gst: share, was "none"'])
  expect(tally.take({ ...planted, path: 'rules.FEE.gst' })).toEqual([])
  expect(tally.take({ ...planted, proved: 'Nothing is charged.' })).toEqual([])
  expect(tally.take({ ...planted, killer: 'checks' })).toEqual([])
  expect(tally.takeStale()).toEqual([])
  expect(tally.summary()).toBe('4 mutants, killed by checks 1, examples 0, cases 0, equivalent 2, survivors 1')
})

test('an entry that is true in one set and stale in another counts as a survivor', () => {
  const tally = createTally([entry('rules.LEVY.gst', 12)])
  tally.take(planted)
  tally.take({ ...planted, set: 'AU_TAS-2026', path: 'rules.FEE.gst', killer: 'checks' })
  expect(tally.takeStale()).toEqual(['equivalents.yaml line 12: stale: no survivor of AU_TAS-2026 is like this'])
  expect(tally.survivors).toBe(1)
})

test('an entry that a case refutes counts as a survivor, and so does one for what is proved', () => {
  const tally = createTally([entry('rules.LEVY.gst', 12)])
  expect(tally.take({ ...planted, killer: 'cases' })).toEqual([
    'equivalents.yaml line 12: AU_TAS-2027 rules.LEVY.gst: share, was "none", is killed by cases',
  ])
  tally.take({ ...planted, proved: 'Nothing is charged.' })
  expect(tally.takeStale()).toEqual(['equivalents.yaml line 12: stale: no survivor of AU_TAS-2027 is like this'])
  expect(tally.survivors).toBe(2)
})

test('an entry goes on meaning the same rule when another is written before it', () => {
  const spec = withLevy()
  const more = { ...spec, rules: [{ ...spec.rules[0]!, component: 'FEE' }, ...spec.rules] }
  const pathsOf = (set: RateSetSpec) =>
    [...mutationsOf(set)].map(({ path }) => path).filter((path) => path.includes('LEVY'))
  expect(pathsOf(spec)).toContain('rules.LEVY.cases.0.charge.flat')
  expect(pathsOf(more)).toEqual(pathsOf(spec))
})

test('the second rule of a component is told from the first by its first day, or by its place', () => {
  const spec = withLevy()
  const levy = spec.rules.at(-1)!
  const more = { ...spec, rules: [...spec.rules, levy, { ...levy, startDate: '2026-12-01' }] }
  const paths = [...mutationsOf(more)].map(({ path }) => path).filter((path) => path.endsWith('flat'))
  expect(paths).toEqual(
    expect.arrayContaining(['LEVY', 'LEVY#2', 'LEVY@2026-12-01'].map((rule) => `rules.${rule}.cases.0.charge.flat`)),
  )
})

test('an end of a range of postcodes one later is proved to be the same where the zone before has the postcode', () => {
  const spec = withLevy()
  const [zones] = spec.zones!
  const values = [
    { zone: 'ONE', postcodes: ['7001-7002'] },
    { zone: 'TWO', postcodes: ['7001-7500'] },
  ]
  const mutants = { ...proofWith([]), spec: { ...spec, zones: [{ ...zones!, values }] } }
  const ends = [...mutationsOf(mutants.spec)].filter(({ operator }) => operator.endsWith('of the range'))
  const proofs = ends.map(({ apply, place, operator, path }) => {
    const mutant = structuredClone(mutants.spec)
    apply(mutant)
    return [`${path} ${operator}`, provedEquivalent({ ...mutants, mutant }, { place, operator }) !== undefined]
  })
  expect(Object.fromEntries(proofs)).toEqual({
    [`zones.${zones!.name}.values.ONE.postcodes.0 first of the range`]: false,
    [`zones.${zones!.name}.values.ONE.postcodes.0 last of the range`]: false,
    [`zones.${zones!.name}.values.TWO.postcodes.0 first of the range`]: true,
    [`zones.${zones!.name}.values.TWO.postcodes.0 last of the range`]: false,
  })
})

test('in a pattern a point is a point, * is one step and ** is anything', () => {
  const pattern = patternOf('rules.(CTP|PLATES).cases.*.when')
  expect(pattern.test('rules.CTP.cases.0.when')).toBe(true)
  expect(pattern.test('rules.CTP.cases.0.charge.when')).toBe(false)
  expect(patternOf('rules.**').test('rules.CTP.cases.0.when')).toBe(true)
})

test('each entry of equivalents.yaml is about a set that there is', () => {
  const names = productSets().map(label)
  expect(readEquivalents().filter(({ set }) => !names.some((name) => set.test(name)))).toEqual([])
})
