import { expect, test } from 'vitest'
import { changed, faultsOf, type Changes } from './sample.ts'

const TABLE = 'rules[1].cases[0].charge.table'

/** What is wrong, what is changed in the good set, and every fault that follows. */
const bad: [string, Changes, string[]][] = [
  [
    'an assumed word that the fact cannot have',
    { 'missing[0].assume': 'saloon' },
    [
      'assumed-values missing[0].assume: saloon is not one of sedan, hatch, wagon, suv, coupe, convertible, people_mover, ute, cab_chassis, van, bus, motorcycle',
    ],
  ],
  [
    'a value assumed in silence',
    { 'missing[0].warning': undefined },
    [
      'assumed-values missing[0]: a value is assumed and there is no warning: the quote says it only where it changes a figure',
    ],
  ],
  [
    'an assumed zone that is not in the list',
    { 'rules[1].missing[0].assume': 'TOWN' },
    ['assumed-values rules[1].missing[0].assume: TOWN is not one of CITY, REST'],
  ],
  [
    'a class assumed to be a word',
    { 'rules[0].missing[0].assume': 'no' },
    ['assumed-values rules[0].missing[0].assume: no is not one of true, false'],
  ],
  [
    'a rule whose sources are all unofficial',
    { 'sources[0].official': false },
    [0, 1].map(
      (rule) =>
        `official-page rules[${rule}].verification.sources: no official source: name the page where the authority publishes ${['STAMP_DUTY', 'CTP'][rule]}, even if the figure was read elsewhere`,
    ),
  ],
  [
    'an estimate without a warning',
    { 'rules[0].cases[0].evidence': 'estimate' },
    ['estimates-warned rules[0].cases[0]: the case is an estimate and has no warning'],
  ],
  [
    'an upper bound of a figure that is no estimate',
    { 'rules[0].cases[0].upperBound': true, 'parameters[0].values[0].upperBound': true },
    ['parameters[0].values[0]', 'rules[0].cases[0]'].map(
      (path) =>
        `upper-bounds ${path}.upperBound: upperBound goes only with evidence: estimate beside it`,
    ),
  ],
  [
    'an estimated rule whose row has no warning',
    { 'rules[1].verification.evidence': 'estimate', [`${TABLE}.rows[1].warning`]: 'x' },
    [`estimates-warned ${TABLE}.rows[0]: the row is an estimate and has no warning`],
  ],
  [
    'a case with an estimated parameter and no warning',
    { 'parameters[0].values[0].evidence': 'estimate' },
    ['estimates-warned rules[1].cases[0]: 20.42 FEE_UNIT is an estimate and has no warning'],
  ],
  [
    'an estimated adjustment without a warning',
    { 'concessions[0].evidence': 'estimate' },
    ['estimates-warned concessions[0].adjustments[0]: the adjustment is an estimate and has no warning'],
  ],
  [
    'an estimated term of a scale without a warning',
    { 'termScales[0].terms[1].evidence': 'estimate' },
    ['estimates-warned termScales[0].terms[1]: the term is an estimate and has no warning'],
  ],
  [
    'an estimated term of a rule without a warning',
    {
      'rules[1].termScale': undefined,
      'rules[1].terms': [
        { months: 12, factor: '1' },
        { months: 6, factor: '1/2', evidence: 'estimate' },
      ],
    },
    ['estimates-warned rules[1].terms[1]: the term is an estimate and has no warning'],
  ],
  [
    'an offered term without a factor',
    { 'offers.terms': [3, 6, 12] },
    ['terms-offered rules[1].termScale: 3 months: the set offers these terms, but this list has no factor for them'],
  ],
  [
    'a row with an amount too many',
    { [`${TABLE}.rows[1].amounts`]: ['1', '2'] },
    [`tables-shaped ${TABLE}.rows[1]: 2 amounts for 1 columns`],
  ],
  [
    'a row that repeats a zone',
    { [`${TABLE}.rows[1].zone`]: 'CITY' },
    [`tables-shaped ${TABLE}.rows[1]: a row before it has the zone CITY`],
  ],
  [
    'a row by an edge in a table by zone',
    { [`${TABLE}.rows[1]`]: { upTo: '5', amounts: ['1'] } },
    [
      `tables-shaped ${TABLE}.rows[1]: upTo needs the fact of the table`,
      `tables-shaped ${TABLE}.rows[1]: every row of a table by zone names its zone`,
    ],
  ],
  [
    'rows whose edges fall',
    {
      [TABLE]: {
        fact: 'termMonths',
        rows: [
          { upTo: '6', amounts: ['1'] },
          { upTo: '5', amounts: ['2'] },
        ],
      },
    },
    [`tables-shaped ${TABLE}.rows[1]: row edge 5 is not above 6`],
  ],
]

test.each(bad)('%s is refused', (_name, changes, faults) => {
  expect(faultsOf(changed(changes))).toEqual(faults)
})
