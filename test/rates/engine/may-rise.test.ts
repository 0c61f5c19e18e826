import { expect, test } from 'vitest'
import type { Graded } from '../../../rates/engine/grade.ts'
import { priced, request, rule, set } from './small-set.ts'

// metadata.mayRise names the components whose line is an estimate and no upper bound.
const OPEN: Graded = { evidence: 'estimate' }
const BOUND: Graded = { evidence: 'estimate', upperBound: true }
const warning = 'An estimate.'
const verification = (graded: Graded) => ({ verification: { ...rule({ cases: [] }).verification, ...graded } })
const fee = { charge: { flat: '5' }, warning }
const mayRise = (spec: ReturnType<typeof set>, asked = request(100)) => priced(spec, asked).answer.metadata.mayRise

test.each([
  ['official', { evidence: 'official' } as const, []],
  ['an upper bound', BOUND, []],
  ['no upper bound', OPEN, ['DUTY']],
])('a case that is %s', (_name, graded, expected) => {
  expect(mayRise(set({ rules: [rule({ cases: [{ ...fee, ...graded }] })] }))).toEqual(expected)
})

test('a case without a grade of its own has that of its rule', () => {
  expect(mayRise(set({ rules: [rule({ cases: [fee], ...verification(OPEN) })] }))).toEqual(['DUTY'])
  expect(mayRise(set({ rules: [rule({ cases: [fee], ...verification(BOUND) })] }))).toEqual([])
  expect(mayRise(set({ rules: [rule({ cases: [{ ...fee, ...BOUND }], ...verification(OPEN) })] }))).toEqual([])
})

test('a row of a table speaks for itself', () => {
  const table = (graded: Graded) => ({
    charge: { table: { fact: 'seats' as const, rows: [{ upTo: '5', amounts: ['5'], warning, ...graded }, { amounts: ['9'] }] } },
  })
  const five = request(100, { vehicleGeneric: { seats: 5 } })
  expect(mayRise(set({ rules: [rule({ cases: [table(OPEN)] })] }), five)).toEqual(['DUTY'])
  expect(mayRise(set({ rules: [rule({ cases: [table(BOUND)] })] }), five)).toEqual([])
})

test('a parameter, a term or an adjustment that may rise makes the line rise, whatever bounds the rest', () => {
  const parameters = (graded: Graded) => [
    { name: 'UNIT', unit: 'AUD' as const, values: [{ value: '5', sources: ['act'], ...graded }] },
  ]
  const ofUnit = rule({ cases: [{ charge: { flat: 'UNIT' }, warning, ...BOUND }] })
  expect(mayRise(set({ parameters: parameters(OPEN), rules: [ofUnit] }))).toEqual(['DUTY'])
  expect(mayRise(set({ parameters: parameters(BOUND), rules: [ofUnit] }))).toEqual([])
  const terms = (graded: Graded) => [{ months: 12, factor: '1', warning, ...graded }]
  const onTerm = (graded: Graded) => set({ rules: [rule({ cases: [{ ...fee, ...BOUND }], terms: terms(graded) })] })
  expect([mayRise(onTerm(OPEN)), mayRise(onTerm(BOUND))]).toEqual([['DUTY'], []])
  const claimed = request(100, { customer: { concession: { hasConcession: true, type: 'CARD' } } })
  const conceded = (graded: Graded) =>
    set({
      rules: [rule({ cases: [{ charge: { flat: '5' } }] })],
      concessions: [
        {
          ...{ type: 'CARD', label: 'Card', description: 'A card.', sources: ['act'], ...graded },
          adjustments: [{ component: 'DUTY', amountOff: '1', warning }],
        },
      ],
    })
  expect([mayRise(conceded(OPEN), claimed), mayRise(conceded(BOUND), claimed)]).toEqual([['DUTY'], []])
})

test('on the wire an estimate that may rise is an estimate', () => {
  const { answer } = priced(set({ rules: [rule({ cases: [{ ...fee, ...OPEN }] })] }), request(100))
  expect(answer.categories.onRoad.map(({ evidence }) => evidence)).toEqual(['estimate'])
  expect(answer.metadata.assumptions).toContainEqual(expect.objectContaining({ kind: 'estimate', reason: warning }))
  expect(answer.metadata.complete).toBe(true)
})

test('an amount that a concession sets has no doubt of the figure, and none of a term that it is not multiplied with', () => {
  const claimed = request(100, { customer: { concession: { hasConcession: true, type: 'CARD' } } })
  const card = { type: 'CARD', label: 'Card', description: 'A card.', sources: ['act'], evidence: 'official' as const }
  const priceOf = (adjustment: { set: string; perTerm?: boolean }) => {
    const terms = [{ months: 12, factor: '1', warning: 'A term.', ...OPEN }]
    const rules = [rule({ cases: [{ ...fee, ...OPEN }], terms })]
    const concessions = [{ ...card, adjustments: [{ component: 'DUTY', ...adjustment }] }]
    const { categories, metadata } = priced(set({ rules, concessions }), claimed).answer
    const { mayRise: rising, warnings } = metadata
    return [categories.onRoad.map(({ value, evidence }) => [value, evidence]), rising, warnings.filter((one) => /^An?/.test(one))]
  }
  expect(priceOf({ set: '0' })).toEqual([[[0, 'official']], [], []])
  expect(priceOf({ set: '2', perTerm: true })).toEqual([[[200, 'estimate']], ['DUTY'], ['A term.']])
})
