import { expect, test } from 'vitest'
import { changed, faultsOf, state, type Changes } from './sample.ts'

const DUTY = 'rules[0].cases[1].charge'

const rule = state().rules[1]!
const unpriced = { ...rule, termScale: undefined, missing: undefined, cases: [{ unpriced: 'Not published.' }] }
const again = (more: object) => JSON.parse(JSON.stringify({ ...unpriced, ...more })) as unknown

/** What is wrong, what is changed in the good set, and every fault that follows. */
const bad: [string, Changes, string[]][] = [
  [
    'a rule that starts in another year',
    { 'rules[0].startDate': '2026-06-30' },
    ['dates-in-year rules[0].startDate: 2026-06-30 is outside 2026-2027: 2026-07-01 to 2027-06-30'],
  ],
  [
    'an adjustment that ends in another year',
    { 'concessions[0].adjustments[0].endDate': '2027-07-01' },
    ['dates-in-year concessions[0].adjustments[0].endDate: 2027-07-01 is outside 2026-2027: 2026-07-01 to 2027-06-30'],
  ],
  [
    'a concession that ended before the year',
    { 'concessions[0].endDate': '2026-06-30' },
    ['dates-in-year concessions[0].endDate: 2026-06-30 is outside 2026-2027: 2026-07-01 to 2027-06-30'],
  ],
  [
    'a concession that ends before it starts',
    { 'concessions[0].startDate': '2027-02-01', 'concessions[0].endDate': '2027-01-31' },
    ['dates-in-year concessions[0].endDate: 2027-01-31 is before the start on 2027-02-01'],
  ],
  [
    'an offer that ends before it starts',
    { 'offers.registrationTypes[0]': { type: 'new', startDate: '2027-02-01', endDate: '2027-01-01' } },
    ['dates-in-year offers.registrationTypes[0].endDate: 2027-01-01 is before the start on 2027-02-01'],
  ],
  [
    'an example of another year',
    { 'examples[0].given.date': '2027-07-01' },
    ['dates-in-year examples[0].given.date: 2027-07-01 is outside 2026-2027: 2026-07-01 to 2027-06-30'],
  ],
  [
    'a parameter without a value on the first day',
    { 'parameters[0].values[0].startDate': '2026-07-02' },
    [
      'parameter-dates-rise parameters[0].values[0]: the first value starts on 2026-07-02; expected a value from 2026-07-01',
    ],
  ],
  [
    'parameter values out of order',
    { 'parameters[0].values[1]': { ...state().parameters![0]!.values[0]!, startDate: '2026-07-01' } },
    ['parameter-dates-rise parameters[0].values[1]: 2026-07-01 is not after 2026-07-01, the start of the value before'],
  ],
  [
    'two rules of one component on one day',
    { 'rules[2]': again({ startDate: '2027-01-01' }) },
    ['overlaps-ranked rules[2]: CTP has another rule of priority 100 on some of its days: rules[1]'],
  ],
  [
    'a rule that a stronger one hides on every day',
    { 'rules[2]': again({ when: undefined, priority: 200 }) },
    ['rules-reached rules[1]: rules of a higher priority cover all days of this rule: rules[2]'],
  ],
  [
    'a rule of days outside the year, which no rule hides',
    { 'rules[2]': again({ startDate: '2027-07-01' }) },
    ['dates-in-year rules[2].startDate: 2027-07-01 is outside 2026-2027: 2026-07-01 to 2027-06-30'],
  ],
  [
    'a rule that ends before it starts, which no rule hides',
    { 'rules[2]': again({ startDate: '2027-02-01', endDate: '2027-01-01' }) },
    [
      'dates-in-year rules[2].endDate: 2027-01-01 is before the start on 2027-02-01',
      'overlaps-ranked rules[2]: CTP has another rule of priority 100 on some of its days: rules[1]',
    ],
  ],
  [
    'days at the end that no rule covers',
    { 'rules[1].endDate': '2027-03-31' },
    [
      'days-covered rules[1]: no rule of CTP covers 2027-04-01 to 2027-06-30: add one, if only with the outcome unpriced',
    ],
  ],
  [
    'days between two rules that no rule covers',
    { 'rules[1].endDate': '2026-12-31', 'rules[2]': again({ startDate: '2027-01-02' }) },
    [
      'days-covered rules[1]: no rule of CTP covers 2027-01-01 to 2027-01-01: add one, if only with the outcome unpriced',
    ],
  ],
  [
    'a band that falls',
    { [`${DUTY}.bands[2].upTo`]: '45000', [`${DUTY}.bands[1].upTo`]: '45000' },
    [
      `bands-rise ${DUTY}.bands[1].upTo: band edge 45000 is not above 45000`,
      `bands-rise ${DUTY}.bands[2].upTo: band edge 45000 is not above 45000`,
    ],
  ],
  [
    'a band that falls once a parameter has risen',
    { [`${DUTY}.bands[2].upTo`]: '90000' },
    [`bands-rise ${DUTY}.bands[2].upTo: band edge 90000 is not above AU/LCT_THRESHOLD (95000 on 2027-01-01)`],
  ],
  [
    'a last band with an end',
    { [`${DUTY}.bands[3].upTo`]: '200000' },
    [`bands-rise ${DUTY}.bands[3].upTo: the last band has an upTo: amounts above it have no charge`],
  ],
  [
    'a band without an end before the last',
    { [`${DUTY}.bands[1].upTo`]: undefined },
    [`bands-rise ${DUTY}.bands[1]: only the last band has no upTo`],
  ],
  [
    'a last case with a when',
    { 'rules[0].cases[1].when': { condition: ['new'] } },
    ['last-case-open rules[0].cases[1].when: the last case has a when; vehicles that do not match it have no outcome'],
  ],
  [
    'a basis whose last case has a when',
    { 'bases[1].cases[0].when': { condition: ['new'] } },
    ['last-case-open bases[1].cases[0].when: the last case has a when; vehicles that do not match it have no outcome'],
  ],
  [
    'a case behind one without a when',
    { 'rules[0].cases[0].when': undefined },
    [
      'last-case-open rules[0].cases[0]: a case without when hides the cases after it',
      'cases-reached rules[0].cases[1]: the earlier cases match everything that this case would match',
    ],
  ],
  [
    'a charge on a basis that the rule does not name',
    { 'rules[0].basis': undefined },
    [
      'bases-given rules[0].cases[0].charge.whole: the charge is computed on the basis, but the rule names no basis',
      `bases-given ${DUTY}.bands: the charge is computed on the basis, but the rule names no basis`,
    ],
  ],
  [
    'a test of a basis through a class',
    { 'classes[2]': { name: 'dear', anyOf: [{ basis: { above: '1' } }] }, 'rules[1].when.class': ['dear'] },
    ['bases-given rules[1].when: the condition tests the basis, but the rule names no basis'],
  ],
  [
    'a basis chosen by its own amount',
    { 'bases[1].cases': [{ when: { basis: { above: '1' } }, sum: ['dutiable'] }, { sum: ['dutiable'] }] },
    ['bases-given bases[1].cases[0].when: a basis cannot be chosen by its own amount'],
  ],
  [
    'a postcode twice in a zone',
    { 'zones[0].values[0].postcodes': ['7000-7019', '7019'] },
    ['postcodes-once zones[0].values[0].postcodes[1]: 7019 is already in 7000-7019 of CITY'],
  ],
  [
    'a range that ends before it starts',
    { 'zones[0].values[0].postcodes': ['7019-7000', '7050'] },
    ['postcodes-once zones[0].values[0].postcodes[0]: the range 7019-7000 ends before it starts'],
  ],
  [
    'a zone behind others that take all of it',
    { 'zones[0].values[2]': { zone: 'LAST', postcodes: ['7018-7051'] } },
    ['zones-reached zones[0].values[2]: every postcode of LAST is in a zone before it'],
  ],
]

test.each(bad)('%s is refused', (_name, changes, faults) => {
  expect(faultsOf(changed(changes))).toEqual(faults)
})

const fine: [string, Changes][] = [
  [
    'a rule on top of another with a higher priority for a part of the year',
    { 'rules[2]': again({ priority: 200, startDate: '2027-01-01' }) },
  ],
  [
    'two rules that meet on the turn of a day',
    { 'rules[1].endDate': '2026-12-31', 'rules[2]': again({ startDate: '2027-01-01' }) },
  ],
  [
    'a stronger rule for all of the year that applies to some vehicles only',
    { 'rules[2]': again({ priority: 200, when: { condition: ['used'] } }) },
  ],
  [
    'a parameter that changes in mid-year',
    { 'parameters[0].values[1]': { ...state().parameters![0]!.values[0]!, startDate: '2027-01-01' } },
  ],
  [
    'an estimate with a warning',
    { 'rules[0].cases[0].evidence': 'estimate', 'rules[0].cases[0].warning': 'An estimate.' },
  ],
  [
    'an estimated term with a warning',
    { 'termScales[0].terms[1].evidence': 'estimate', 'termScales[0].terms[1].warning': 'An estimate.' },
  ],
  ['a zone that others take a part of', { 'zones[0].values[2]': { zone: 'LAST', postcodes: ['7018-7051', '6999'] } }],
  [
    'a case that only a change of the threshold opens',
    { 'rules[0].cases[0].when.basis': { above: 'AU/LCT_THRESHOLD' } },
  ],
  ['a rule without terms beside offered terms', { 'rules[1].termScale': undefined }],
  ['a concession that ends by its law after the year', { 'concessions[0].endDate': '2027-08-31' }],
]

test.each(fine)('%s is taken', (_name, changes) => {
  expect(faultsOf(changed(changes))).toEqual([])
})
