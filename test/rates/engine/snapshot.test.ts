import { expect, test } from 'vitest'
import { runExample } from '../../../rates/proof/run-example.ts'
import type { RateSetSpec } from '../../../rates/engine/grammar/rate-set.ts'
import { buildSnapshot } from '../../../rates/engine/snapshot.ts'
import { charging, loaded, priced, request, rule, set, snapshotOf } from './small-set.ts'

const of = (financialYear: string, part: Partial<RateSetSpec> = {}) =>
  set({ financialYear, rules: [rule({ cases: [{ charge: { flat: '1' } }] })], ...part })

test('the supported range is the unbroken run of years that ends with the latest', () => {
  const { jurisdictions } = snapshotOf(of('2026-2027'), of('2023-2024'), of('2025-2026'))
  expect(jurisdictions.AU_XX?.range).toEqual({
    start: '2025-07-01',
    end: '2027-06-30',
    financialYears: ['2025-2026', '2026-2027'],
  })
  expect(Object.keys(jurisdictions.AU_XX?.years ?? {})).toEqual(['2025-2026', '2026-2027'])
})

test('each registration date is priced by its own year, to the day', () => {
  const years = [of('2025-2026'), of('2026-2027', { rules: [rule({ cases: [{ charge: { flat: '2' } }] })] })]
  const on = (startDate: string) => priced(years, request(1, { registration: { startDate } })).answer.categories.onRoad
  expect(on('2026-06-30')).toMatchObject([{ value: 100, ruleId: 'AU_XX_DUTY_FY26' }])
  expect(on('2026-07-01')).toMatchObject([{ value: 200, ruleId: 'AU_XX_DUTY_FY27' }])
})

test('a compiled set is kept while its digest and its imports stay, and compiled anew when one changes', () => {
  const federal = loaded(of('2026-2027', { pricingCode: 'AU', quotable: false }))
  const state = loaded(
    of('2026-2027', { imports: ['AU'], rules: [rule({ component: 'OWN', cases: [{ charge: { flat: '1' } }] })] }),
  )
  const first = buildSnapshot({ release: 'a', sets: [federal, state] })
  const same = buildSnapshot({ release: 'b', sets: [federal, state] }, first)
  expect(same.release).toBe('b')
  expect(same.programs['au-xx-fy27']).toBe(first.programs['au-xx-fy27'])
  const changed = buildSnapshot({ release: 'c', sets: [{ ...federal, digest: 'other' }, state] }, first)
  expect(changed.programs['au-xx-fy27']).not.toBe(first.programs['au-xx-fy27'])
})

test('a set that is not quotable is no jurisdiction, and a withdrawn one is not there', () => {
  const { jurisdictions, programs } = snapshotOf(
    of('2026-2027', { pricingCode: 'AU', quotable: false }),
    of('2026-2027', { withdrawn: true }),
  )
  expect(Object.keys(jurisdictions)).toEqual([])
  expect(Object.keys(programs)).toEqual(['au-fy27'])
})

test('a snapshot cannot be changed', () => {
  const { jurisdictions } = snapshotOf(of('2026-2027'))
  const range = jurisdictions.AU_XX?.range as { start: string }
  expect(() => (range.start = '2000-01-01')).toThrow(TypeError)
})

test('imported rules resolve names in their own set and keep their own id; the importer reads their lines', () => {
  const named = (value: string) => [
    { name: 'LIMIT', unit: 'AUD' as const, values: [{ value, evidence: 'official' as const, sources: ['act'] }] },
  ]
  const federal = set({
    pricingCode: 'AU',
    quotable: false,
    parameters: named('100'),
    rules: [
      rule({
        component: 'TAX',
        basis: 'PRICE',
        cases: [
          { when: { basis: { upTo: 'LIMIT' } }, exempt: { reason: 'Below.', line: 'omit' } },
          { charge: { whole: { percent: '10' } } },
        ],
      }),
    ],
  })
  const state = set({
    imports: ['AU'],
    parameters: named('5'),
    bases: [{ name: 'PAID', cases: [{ sum: ['dutiable', 'line:TAX', 'LIMIT', 'AU/LIMIT'] }] }],
    rules: [rule({ basis: 'PAID', cases: [{ charge: { whole: { percent: '1' } } }] })],
  })
  const { answer } = priced([federal, state], request(200))
  expect(answer.categories.onRoad.map(({ ruleId, value }) => [ruleId, value])).toEqual([
    ['AU_XX_DUTY_FY27', 325],
    ['AU_TAX_FY27', 2_000],
  ])
})

test.each<[string, RateSetSpec, RegExp]>([
  [
    'a class',
    charging({ table: { columns: ['none'], rows: [{ amounts: ['1'] }] } }),
    /au-xx-fy27: rules\[0\]\.cases\[0\]\.charge\.table\.columns: there is no class none/,
  ],
  [
    'a parameter',
    charging({ flat: 'AU/NONE' }),
    /rules\[0\]\.cases\[0\]\.charge\.flat: there is no parameter AU\/NONE/,
  ],
  [
    'a basis',
    set({ rules: [rule({ basis: 'NONE', cases: [{ charge: { flat: '1' } }] })] }),
    /rules\[0\]\.basis: there is no basis NONE/,
  ],
  ['a line', charging({ flat: '1', less: ['line:NONE'] }), /charge\.less\[0\]: no rule gives a line NONE/],
  ['an import', of('2026-2027', { imports: ['AU'] }), /imports: there is no AU for 2026-2027/],
])('%s that refers to nothing stops the snapshot, with the set and the path', (_name, spec, message) => {
  expect(() => snapshotOf(spec)).toThrow(message)
})

test('lines and bases that need each other are refused', () => {
  const bases = [
    { name: 'A', cases: [{ sum: ['line:Y'] }] },
    { name: 'B', cases: [{ sum: ['line:X'] }] },
  ]
  const whole = [{ charge: { whole: { percent: '1' } } }]
  const lines = set({
    bases,
    rules: [rule({ component: 'X', basis: 'A', cases: whole }), rule({ component: 'Y', basis: 'B', cases: whole })],
  })
  expect(() => snapshotOf(lines)).toThrow(/au-xx-fy27: .*X needs Y needs X/)
  const loop = charging({ flat: '1' }, { bases: [{ name: 'A', cases: [{ sum: ['basis:A'] }] }] })
  expect(() => snapshotOf(loop)).toThrow(/bases\[1\]\.cases\[0\]\.sum\[0\]: A refers to itself/)
})

test('a worked example is judged by component, in dollars, none or unpriced', () => {
  const spec = set({
    rules: [
      rule({ component: 'A', basis: 'PRICE', cases: [{ charge: { whole: { percent: '1' } } }] }),
      rule({ component: 'B', cases: [{ unpriced: 'Not published.' }] }),
      rule({ component: 'C', cases: [{ exempt: { reason: 'Exempt.', line: 'omit' } }] }),
    ],
  })
  const example = (expect: Record<string, string>) => ({
    name: 'one',
    source: { kind: 'formula' as const, name: 'act' },
    given: { dutiable: '123.50', lines: [{ kind: 'accessory', value: '0.50' }] },
    expect,
  })
  const snapshot = snapshotOf(spec)
  expect(runExample(example({ A: '1.24', B: 'unpriced', C: 'none' }), spec, snapshot)).toMatchObject({
    passed: true,
    message: '',
  })
  const wrong = runExample(example({ A: '1.25', B: 'none', D: 'none' }), spec, snapshot)
  expect(wrong).toMatchObject({ passed: false, got: { A: '1.24', B: 'unpriced' } })
  expect(wrong.message).toBe(
    'A is 1.24, expected 1.25; B is unpriced, expected none; D is unknown component, expected none',
  )
})

test('an example of a set that is not quotable runs, and one that is refused fails with the reason', () => {
  const spec = set({
    pricingCode: 'AU',
    quotable: false,
    rules: [
      rule({
        missing: [{ fact: 'manufactureDate', reject: true }],
        cases: [
          { when: { age: { from: 'manufactureDate', moreThanYears: 2 } }, charge: { flat: '1' } },
          { charge: { flat: '2' } },
        ],
      }),
    ],
  })
  const run = (manufactureDate?: string) =>
    runExample(
      {
        name: 'one',
        source: { kind: 'formula', name: 'act' },
        given: { ...(manufactureDate && { manufactureDate }) },
        expect: { DUTY: '2' },
      },
      spec,
      snapshotOf(spec),
    )
  expect(run('2024-07-01').passed).toBe(true)
  expect(run()).toMatchObject({
    passed: false,
    message: expect.stringMatching(/INVALID_VEHICLE_INPUT.*manufactureDate/) as string,
  })
})
