import { expect, test } from 'vitest'
import { changed, faultsOf, type Changes } from './sample.ts'

const told = (component: string, fact: string, path: string) =>
  `${component} reads ${fact}, which a request may leave out (${path}): add { fact: ${fact}, assume, unpriced or reject } without when to missing, or test present: [${fact}]`

const bad: [string, Changes, string[]][] = [
  [
    'in a class',
    { 'rules[0].missing': undefined },
    [
      `rules[0]: ${told('STAMP_DUTY', 'fuelType', 'classes[1].anyOf[0].fuelType')}`,
      `rules[0]: ${told('STAMP_DUTY', 'co2GPerKm', 'classes[1].anyOf[1].co2GPerKm')}`,
    ],
  ],
  [
    'in a class, where the only entry has a when',
    { 'rules[0].missing[0].when': { condition: ['new'] } },
    [
      `rules[0]: ${told('STAMP_DUTY', 'fuelType', 'classes[1].anyOf[0].fuelType')}`,
      `rules[0]: ${told('STAMP_DUTY', 'co2GPerKm', 'classes[1].anyOf[1].co2GPerKm')}`,
    ],
  ],
  [
    'in the when of a rule',
    { 'rules[1].when.demonstrator': true },
    [`rules[1]: ${told('CTP', 'demonstrator', 'rules[1].when.demonstrator')}`],
  ],
  [
    'in a derived fact',
    { 'rules[1].when.derived': [{ name: 'LOAD_KG', above: '0' }] },
    [
      `rules[1]: ${told('CTP', 'gvmKg', 'rules[1].when.derived[0]')}`,
      `rules[1]: ${told('CTP', 'tareKg', 'rules[1].when.derived[0]')}`,
    ],
  ],
  [
    'in an age',
    { 'rules[1].when.age': { from: 'manufactureDate', moreThanYears: 2 } },
    [`rules[1]: ${told('CTP', 'manufactureDate', 'rules[1].when.age')}`],
  ],
  [
    'in the units of a charge',
    { 'rules[1].cases[0].charge': { units: { of: 'tareKg', per: '100', part: 'up', rate: '1' } } },
    [`rules[1]: ${told('CTP', 'tareKg', 'rules[1].cases[0].charge.units.of')}`],
  ],
  [
    'in the rows of a table',
    { 'rules[1].cases[0].charge.table': { fact: 'engineCapacityCc', rows: [{ upTo: '5', amounts: ['1'] }] } },
    [`rules[1]: ${told('CTP', 'engineCapacityCc', 'rules[1].cases[0].charge.table.fact')}`],
  ],
  [
    'in a sum of a basis',
    { 'bases[0].cases[0].sum[2]': 'listPrice' },
    [`rules[0]: ${told('STAMP_DUTY', 'listPrice', 'bases[0].cases[0].sum[2]')}`],
  ],
  [
    'in a choice that has nothing certain',
    { 'bases[1].cases[0]': { firstPresent: ['listPrice', 'marketValue'] } },
    [
      `rules[0]: ${told('STAMP_DUTY', 'listPrice', 'bases[1].cases[0].firstPresent[0]')}`,
      `rules[0]: ${told('STAMP_DUTY', 'marketValue', 'bases[1].cases[0].firstPresent[1]')}`,
    ],
  ],
  [
    'in a concession',
    { 'concessions[0].adjustments[0].when': { seats: { max: '5' } } },
    [`rules[1]: ${told('CTP', 'seats', 'concessions[0].adjustments[0].when.seats')}`],
  ],
  [
    'in a concession on a basis inside that of the rule',
    { 'concessions[0].adjustments[0]': { basis: 'PAID', percentOff: '50', when: { seats: { max: '5' } } } },
    [`rules[0]: ${told('STAMP_DUTY', 'seats', 'concessions[0].adjustments[0].when.seats')}`],
  ],
  [
    'in a concession on a component of an import',
    {
      'concessions[0].adjustments[0]': {
        component: 'LUXURY_CAR_TAX',
        percentOff: '50',
        when: { seats: { max: '5' } },
      },
    },
    [`concessions: ${told('LUXURY_CAR_TAX', 'seats', 'concessions[0].adjustments[0].when.seats')}`],
  ],
  [
    'in a zone list',
    { 'rules[1].missing': undefined },
    [
      'rules[1]: CTP reads the zone of RISK, and a postcode may be absent or match nothing (rules[1].cases[0].charge.table.zone): add { zone: RISK, assume, unpriced or reject } without when to missing',
    ],
  ],
]

test.each(bad)('an optional fact read %s needs a missing entry', (_name, changes, faults) => {
  expect(faultsOf(changed(changes))).toEqual(faults.map((fault) => `missing-declared ${fault}`))
})

const fine: [string, Changes][] = [
  ['an entry of the set', { 'rules[0].missing': undefined, 'missing[1]': { class: 'green', reject: true } }],
  [
    'an entry for each fact in place of one for the class',
    {
      'rules[0].missing': [
        { fact: 'fuelType', assume: 'ICE', warning: 'Taken as petrol.' },
        { fact: 'co2GPerKm', unpriced: 'No CO2.' },
      ],
    },
  ],
  ['a test of presence in the same condition', { 'rules[1].when': { present: ['demonstrator'], demonstrator: true } }],
  [
    'a test of presence in every alternative of a class',
    {
      'classes[2]': { name: 'sent', anyOf: [{ present: ['seats'] }, { present: ['seats', 'gvmKg'] }] },
      'rules[1].when': { class: ['sent'], seats: { max: '5' } },
    },
  ],
  [
    'a test of presence in the rule for what its cases charge',
    {
      'rules[1].when': { present: ['tareKg'] },
      'rules[1].cases[0].charge': { units: { of: 'tareKg', per: '100', part: 'up', rate: '1' } },
    },
  ],
  [
    'a choice that falls back on what is always there',
    { 'bases[1].cases[0]': { firstPresent: ['marketValue', 'dutiable'] } },
  ],
  [
    'facts that always have a value',
    { 'rules[1].when': { condition: ['new'], usageType: ['taxi'], termMonths: { max: '6' } } },
  ],
]

test.each(fine)('%s is enough', (_name, changes) => {
  expect(faultsOf(changed(changes))).toEqual([])
})

test('presence in one alternative of a class only is not enough', () => {
  const sent = { name: 'sent', anyOf: [{ present: ['seats'] }, { condition: ['new'] }] }
  expect(faultsOf(changed({ 'classes[2]': sent, 'rules[1].when': { class: ['sent'], seats: { max: '5' } } }))).toEqual([
    `missing-declared rules[1]: ${told('CTP', 'seats', 'rules[1].when.seats')}`,
  ])
})
