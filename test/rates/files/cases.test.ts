import { expect, test } from 'vitest'
import { parseCases } from '#rates/files/cases.ts'

const text = `pricingCode: AU_VIC
cases:
  - name: A sedan
    source: 403 x 8.40, s 218
    request: { date: "2026-09-01", dutiable: "80567", bodyType: sedan }
    expect: { STAMP_DUTY: "3385.20", PLATES: none, driveAway: "84000", warnings: [CO2], ruleIds: { STAMP_DUTY: AU_VIC_STAMP_DUTY_FY27 } }
  - name: An unknown card
    source: not in the list
    request: { date: "2026-09-01", concession: NO_CARD }
    expect: { error: INVALID_CONCESSION }
`

test('a case gives its figures apart from its other expectations', () => {
  const [first, second] = parseCases(text, 'vic.yaml')
  expect(first).toEqual({
    file: 'vic.yaml',
    line: 3,
    pricingCode: 'AU_VIC',
    name: 'A sedan',
    source: '403 x 8.40, s 218',
    request: { date: '2026-09-01', dutiable: '80567', bodyType: 'sedan' },
    figures: { STAMP_DUTY: '3385.20', PLATES: 'none' },
    driveAway: '84000',
    warnings: ['CO2'],
    ruleIds: { STAMP_DUTY: 'AU_VIC_STAMP_DUTY_FY27' },
  })
  expect(second).toMatchObject({ figures: {}, error: 'INVALID_CONCESSION' })
})

test('a case states grades, values taken, words that no warning has and the time zone', () => {
  const stated =
    'evidence: { STAMP_DUTY: official }, assumed: { seats: "8" }, unwarned: [estimate], timeZone: Australia/Hobart'
  const [, second] = parseCases(text.replace('error: INVALID_CONCESSION', stated), 'vic.yaml')
  expect(second).toMatchObject({
    figures: {},
    evidence: { STAMP_DUTY: 'official' },
    assumed: { seats: '8' },
    unwarned: ['estimate'],
    timeZone: 'Australia/Hobart',
  })
})

test.each([
  ['a grade that is none', text.replace('error: INVALID_CONCESSION', 'evidence: { DUTY: sure }'), /evidence\.DUTY/],
  ['a fact that is none', text.replace('error: INVALID_CONCESSION', 'assumed: { doors: "5" }'), /assumed\.doors/],
  [
    'a misspelt key',
    text.replace('bodyType', 'bodytype'),
    /^vic\.yaml:5:\d+: cases\[0\]\.request\.bodytype: unknown key; .*\(did you mean bodyType\?\) \(unknown-key\)$/,
  ],
  ['a key that no case has', text.replace('source: 403', 'because: 403'), /cases\[0\]\.because: unknown key/],
  [
    'a bare figure',
    text.replace('"3385.20"', '3385.20'),
    /^vic\.yaml:6:15: cases\[0\]\.expect\.STAMP_DUTY: 3385\.20 is not quoted; quote it: "3385\.20" \(quoted\)$/,
  ],
  [
    'a case without a date',
    text.replace('date: "2026-09-01", concession', 'concession'),
    /cases\[1\]\.request\.date: the key is missing/,
  ],
  [
    'a price of part cents',
    text.replace('"80567"', '"80567.005"'),
    /^vic\.yaml:5:.* cases\[0\]\.request\.dutiable: "80567\.005" is not /,
  ],
  ['a figure that is none', text.replace('"3385.20"', 'some'), /"some" is not dollars and cents/],
  [
    'two cases of one name',
    text.replace('An unknown card', 'A sedan'),
    /^vic\.yaml:7:5: cases\[1\]\.name: "A sedan" names two cases \(names-unique\)$/,
  ],
  ['a key twice', text.replace('PLATES: none', 'STAMP_DUTY: none'), /duplicate-key/],
  [
    'a case without a source',
    text.replace('    source: not in the list\n', ''),
    /cases\[1\]\.source: the key is missing/,
  ],
])('%s is refused with its place', (_name, wrong, message) => {
  expect(() => parseCases(wrong, 'vic.yaml')).toThrow(message)
})

test('a case that expects an amount says in its source what the amount follows from', () => {
  const unsourced = text.replace('403 x 8.40, s 218', 'by the scale of cars')
  expect(() => parseCases(unsourced, 'vic.yaml')).toThrow(
    'vic.yaml:4:5: cases[0].source: "by the scale of cars" names no figure, section or row, and STAMP_DUTY is expected to be 3385.20',
  )
})
