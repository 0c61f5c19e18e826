import { expect, test } from 'vitest'
import { changed, faultsOf, federal, state, type Changes } from './sample.ts'

test('the sample and what it imports have no faults, so that every fault below has one cause', () => {
  expect(faultsOf(state())).toEqual([])
  expect(faultsOf(federal(), [])).toEqual([])
})

const shapes: [string, Changes, string][] = [
  [
    'an unknown key deep in a charge is named, with the one that was meant',
    { 'rules[0].cases[0].charge.hole': '1' },
    'unknown-key rules[0].cases[0].charge.hole: unknown key; expected flat, whole, bands, interpolate, units, table, greatestOf, less, atLeast, atMost, round (did you mean whole?)',
  ],
  [
    'a key that has to stand is missed at its place',
    { 'rules[1].verification.sources': undefined },
    'missing-key rules[1].verification.sources: the key is missing',
  ],
  [
    'a rule without a source is refused',
    { 'rules[0].verification.sources': [] },
    'value rules[0].verification.sources: expected at least 1 entry',
  ],
  [
    'money as a number is refused',
    { 'rules[0].cases[0].charge.whole.rate': 2 },
    'quoted rules[0].cases[0].charge.whole.rate: 2 is not quoted; quote it: "2"',
  ],
  [
    'a word outside its list is refused with the list',
    { 'rules[0].category': 'onroad' },
    'value rules[0].category: "onroad" is not one of dutiable, onRoad, additional (did you mean onRoad?)',
  ],
  [
    'an amount that is none is refused',
    { 'rules[0].cases[0].charge.whole.rate': '$2' },
    'value rules[0].cases[0].charge.whole.rate: "$2" is not an amount: dollars "8.40", a parameter AU/LCT_THRESHOLD, or a multiple of one 20.42 FEE_UNIT',
  ],
  [
    'a day that no calendar has is refused',
    { 'rules[0].startDate': '2027-02-29' },
    'value rules[0].startDate: "2027-02-29" is not a day of the calendar, YYYY-MM-DD',
  ],
  ['a list in place of a map is refused', { offers: [] }, 'value offers: expected a map, found []'],
  [
    'a figure of an example has at most two places',
    { 'examples[0].expect.STAMP_DUTY': '1.005' },
    'value examples[0].expect.STAMP_DUTY: "1.005" is not dollars and cents "3385.20", none or unpriced',
  ],
]

test.each(shapes)('%s', (_name, changes, fault) => {
  expect(faultsOf(changed(changes))).toEqual([fault])
})

test('what is no map at all is one fault', () => {
  expect(faultsOf(null)).toEqual(['value : expected a map, found null'])
})

const wholes: [string, Changes, string][] = [
  [
    'two years that do not follow each other are refused',
    { financialYear: '2026-2028' },
    'years-in-a-row financialYear: 2026-2028 is not two years in a row',
  ],
  [
    'a time zone that does not exist is refused',
    { timeZone: 'Australia/Launceston' },
    'time-zone-known timeZone: Australia/Launceston is not a time zone of the IANA database',
  ],
  [
    'an import that is not there is refused',
    { imports: ['AU', 'AU_NT'] },
    'imports-present imports[1]: there is no well-formed rate set of AU_NT for 2026-2027',
  ],
  [
    'a quotable set without examples is refused',
    { examples: undefined },
    'quotable-complete examples: a quotable set has at least one worked example',
  ],
  [
    'a quotable set without offers is refused',
    { offers: undefined },
    'quotable-complete offers: a quotable set says which terms and registration types it offers',
  ],
  [
    'a case with two outcomes is refused',
    { 'rules[0].cases[0].unpriced': 'x' },
    'exactly-one rules[0].cases[0]: expected exactly one of charge, exempt, unpriced, reject; found charge and unpriced',
  ],
  [
    'a case without an outcome is refused',
    { 'rules[0].cases[0].charge': undefined },
    'exactly-one rules[0].cases[0]: expected exactly one of charge, exempt, unpriced, reject; found none',
  ],
  [
    'a charge of two forms is refused',
    { 'rules[0].cases[0].charge.flat': '1' },
    'exactly-one rules[0].cases[0].charge: expected exactly one of flat, whole, bands, interpolate, units, table, greatestOf; found flat and whole',
  ],
  [
    'a band without a form is refused',
    { 'rules[0].cases[1].charge.bands[3]': { upTo: '100000' } },
    'exactly-one rules[0].cases[1].charge.bands[3]: expected exactly one of flat, whole, excess, interpolate; found none',
  ],
  [
    'a rate without its unit is refused',
    { 'rules[0].cases[0].charge.whole.per': undefined },
    'exactly-one rules[0].cases[0].charge.whole: expected percent, or rate and per together',
  ],
  [
    'a percentage beside a rate is refused',
    { 'rules[0].cases[1].charge.bands[2].excess.rate': '1' },
    'exactly-one rules[0].cases[1].charge.bands[2].excess: expected percent, or rate and per together',
  ],
  [
    'a missing entry about two things is refused',
    { 'rules[0].missing[0].fact': 'seats' },
    'exactly-one rules[0].missing[0]: expected exactly one of fact, class, zone; found fact and class',
  ],
  [
    'a missing entry that does nothing is refused',
    { 'missing[0].assume': undefined },
    'exactly-one missing[0]: expected exactly one of assume, unpriced, reject; found none',
  ],
  [
    'an adjustment of nothing is refused',
    { 'concessions[0].adjustments[0].component': undefined },
    'exactly-one concessions[0].adjustments[0]: expected exactly one of component, basis; found none',
  ],
  [
    'an adjustment in two ways is refused',
    { 'concessions[0].adjustments[0].set': '1' },
    'exactly-one concessions[0].adjustments[0]: expected exactly one of percentOff, amountOff, set; found percentOff and set',
  ],
  [
    'terms of its own beside a scale are refused',
    { 'rules[1].terms': [{ months: 12, factor: '1' }] },
    'exactly-one rules[1]: expected at most one of terms, termScale; found terms and termScale',
  ],
  [
    'a basis of two sums is refused',
    { 'bases[0].cases[0].greatest': ['dutiable'] },
    'exactly-one bases[0].cases[0]: expected exactly one of sum, greatest, firstPresent; found sum and greatest',
  ],
  [
    'a percentage above 100 is refused',
    { 'concessions[0].adjustments[0].percentOff': '150' },
    'concessions-shaped concessions[0].adjustments[0].percentOff: 150 is not within 0 and 100',
  ],
  [
    'a yearly percentage is refused',
    { 'concessions[0].adjustments[0].perTerm': true },
    'concessions-shaped concessions[0].adjustments[0].perTerm: perTerm does not go with percentOff: a percentage already follows the term',
  ],
]

test.each(wholes)('%s', (_name, changes, fault) => {
  expect(faultsOf(changed(changes))).toEqual([fault])
})
