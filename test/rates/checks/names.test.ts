import { expect, test } from 'vitest'
import { changed, faultsOf, federal, state, type Changes } from './sample.ts'

const uniques: [string, Changes, string][] = [
  [
    'two classes of one name',
    { 'classes[1].name': 'passenger' },
    'names-unique classes[1].name: passenger is already defined at classes[0]',
  ],
  [
    'two zones of one name',
    { 'zones[0].values[1].zone': 'CITY' },
    'names-unique zones[0].values[1].zone: CITY is already defined at zones[0].values[0]',
  ],
  [
    'one term twice in a scale',
    { 'termScales[0].terms[1].months': 12 },
    'names-unique termScales[0].terms[1].months: 12 is already defined at termScales[0].terms[0]',
  ],
  [
    'two concessions of one type',
    { 'concessions[1]': state().concessions![0] },
    'names-unique concessions[1].type: PENSIONER is already defined at concessions[0]',
  ],
  [
    'one registration type twice',
    { 'offers.registrationTypes[1]': { type: 'new' } },
    'names-unique offers.registrationTypes[1].type: new is already defined at offers.registrationTypes[0]',
  ],
  [
    'two examples of one name',
    { 'examples[1]': state().examples![0] },
    'names-unique examples[1].name: A small car is already defined at examples[0]',
  ],
  [
    'a component that an import charges too',
    { 'rules[1].component': 'LUXURY_CAR_TAX' },
    'names-unique rules[1].component: LUXURY_CAR_TAX is already charged by the imported AU; only one set can charge it',
  ],
]

test.each(uniques)('%s is refused', (_name, changes, fault) => {
  expect(faultsOf(changed(changes))).toEqual([fault])
})

const references: [string, Changes, string][] = [
  [
    'a class in a condition',
    { 'rules[0].cases[0].when.class[0]': 'passengers' },
    'rules[0].cases[0].when.class[0]: no class is called passengers (did you mean passenger?)',
  ],
  [
    'a class in not',
    { 'rules[0].cases[0].when.not': ['blue'] },
    'rules[0].cases[0].when.not[0]: no class is called blue',
  ],
  [
    'a class in a class',
    { 'classes[0].anyOf[0].class': ['car'] },
    'classes[0].anyOf[0].class[0]: no class is called car',
  ],
  [
    'a derived fact',
    { 'classes[0].anyOf[0].derived': [{ name: 'LOAD', above: '0' }] },
    'classes[0].anyOf[0].derived[0].name: no derived fact is called LOAD',
  ],
  [
    'a zone of a condition',
    { 'rules[1].when.zone': { name: 'RISK', in: ['TOWN'] } },
    'rules[1].when.zone.in[0]: no zone of the list is called TOWN',
  ],
  [
    'a zone of a row',
    { 'rules[1].cases[0].charge.table.rows[0].zone': 'TOWN' },
    'rules[1].cases[0].charge.table.rows[0].zone: no zone of the list is called TOWN',
  ],
  ['a basis of a rule', { 'rules[0].basis': 'WORTH' }, 'rules[0].basis: no basis is called WORTH'],
  [
    'a basis in a sum',
    { 'bases[1].cases[0].greatest[0]': 'basis:PAYED' },
    'bases[1].cases[0].greatest[0]: no basis is called PAYED (did you mean PAID?)',
  ],
  [
    'a line in a sum',
    { 'bases[0].cases[0].sum[1]': 'line:LCT' },
    'bases[0].cases[0].sum[1]: no component is called LCT',
  ],
  [
    'a line without others in a sum',
    { 'bases[0].cases[0].sum[1]': 'alone:LCT' },
    'bases[0].cases[0].sum[1]: no component is called LCT',
  ],
  [
    'a line kind',
    { 'bases[0].cases[0].minus': ['kind:option'] },
    'bases[0].cases[0].minus[0]: no line kind is called option',
  ],
  ['a term scale', { 'rules[1].termScale': 'HALVES' }, 'rules[1].termScale: no term scale is called HALVES'],
  [
    'a source of a rule',
    { 'rules[0].verification.sources': ['law'] },
    'rules[0].verification.sources[0]: no source is called law',
  ],
  [
    'a source of a parameter',
    { 'parameters[0].values[0].sources': ['law'] },
    'parameters[0].values[0].sources[0]: no source is called law',
  ],
  [
    'a parameter of the set',
    { 'rules[0].cases[0].charge.atLeast': '2 FEE_UNITS' },
    'rules[0].cases[0].charge.atLeast: no parameter of AU_TAS is called FEE_UNITS (did you mean FEE_UNIT?)',
  ],
  [
    'a parameter of an import',
    { 'rules[0].cases[0].when.basis': { upTo: 'AU/LCT' } },
    'rules[0].cases[0].when.basis.upTo: no parameter of AU is called LCT',
  ],
  [
    'a parameter of a set that is not imported',
    { 'rules[0].cases[0].charge.atMost': 'AU_NT/CAP' },
    'rules[0].cases[0].charge.atMost: AU_NT is not imported',
  ],
  [
    'a parameter in a table',
    { 'rules[1].cases[0].charge.table.rows[0].amounts[0]': '2 UNIT' },
    'rules[1].cases[0].charge.table.rows[0].amounts[0]: no parameter of AU_TAS is called UNIT',
  ],
  [
    'a column class',
    { 'rules[1].cases[0].charge.table.columns': ['lorry'] },
    'rules[1].cases[0].charge.table.columns[0]: no class is called lorry',
  ],
  [
    'a component of a concession',
    { 'concessions[0].adjustments[0].component': 'LUXURY_CAR_TAXES' },
    'concessions[0].adjustments[0].component: no component is called LUXURY_CAR_TAXES (did you mean LUXURY_CAR_TAX?)',
  ],
  [
    'a component of an example',
    { 'examples[0].expect': { DUTY: '1' } },
    'examples[0].expect.DUTY: no component is called DUTY',
  ],
  [
    'a class of a missing entry',
    { 'rules[0].missing[0].class': 'grean' },
    'rules[0].missing[0].class: no class is called grean (did you mean green?)',
  ],
]

test.each(references)('a reference to nothing is refused: %s', (_name, changes, fault) => {
  expect(faultsOf(changed(changes))).toEqual([`references-resolve ${fault}`])
})

test('a class that is made of itself is refused, with the circle', () => {
  const spec = changed({ 'classes[0].anyOf[0].class': ['green'], 'classes[1].anyOf[0].not': ['passenger'] })
  expect(faultsOf(spec)).toEqual([
    'no-cycles classes[0]: it depends on itself: class passenger -> class green -> class passenger',
  ])
})

test.each(['line', 'alone'])('a line that is computed on itself through its basis is refused, with the circle: %s', (term) => {
  const spec = changed({ 'bases[0].cases[0].sum[2]': `${term}:STAMP_DUTY` })
  expect(faultsOf(spec)).toEqual([
    'no-cycles bases[0]: it depends on itself: basis:PAID -> line:STAMP_DUTY -> basis:VALUE -> basis:PAID',
  ])
})

test('a line that another line needs is no cycle', () => {
  expect(faultsOf(changed({ 'bases[2]': { name: 'PREMIUM', cases: [{ sum: ['line:CTP'] }] } }))).toEqual([])
})

test('an import of another year does not count', () => {
  const older = { ...federal(), financialYear: '2025-2026' }
  expect(faultsOf(state(), [older])).toContain(
    'imports-present imports[0]: there is no well-formed rate set of AU for 2026-2027',
  )
})
