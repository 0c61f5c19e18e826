import { expect, test } from 'vitest'
import { reviewFaults } from '#rates/checks/review-dates.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import { changed, type Changes } from './sample.ts'

// The sample is of 2026-2027; its rule 0 is verified on 2026-11-21, and reviewed by 2027-06-01.
const AT = 'rules[0].verification'

const faultsOf = (changes: Changes) =>
  reviewFaults(subjectOf(changed(changes), []), '2026-11-23').map(({ check, path, message }) => `${check} ${path}: ${message}`)

const bad: [string, Changes, string][] = [
  [
    'a review that is due on the day of the verification',
    { [`${AT}.reviewBy`]: '2026-11-21' },
    'reviewBy: 2026-11-21 is not after 2026-11-21, the day of verifiedOn',
  ],
  [
    'a verification that is still to come',
    { [`${AT}.verifiedOn`]: '2026-11-24' },
    'verifiedOn: 2026-11-24 is after today, 2026-11-23; expected the day of the comparison',
  ],
  [
    'a review that nobody will live to see',
    { [`${AT}.reviewBy`]: '2127-06-01' },
    'reviewBy: 2127-06-01 is more than two years after verifiedOn; expected a day to 2028-11-21',
  ],
  [
    'a review before the first day of the set, of a figure that is no estimate',
    { [`${AT}.verifiedOn`]: '2025-11-21', [`${AT}.reviewBy`]: '2026-06-01' },
    'reviewBy: 2026-06-01 is before 2026-07-01, the first day of the set; expected evidence estimate, or figures compared with their sources for this year, and a later reviewBy',
  ],
  [
    'a verification more than a year before the first day, of a figure that is no estimate',
    { [`${AT}.verifiedOn`]: '2025-06-30', [`${AT}.reviewBy`]: '2026-12-01' },
    'verifiedOn: 2025-06-30 is more than a year before 2026-07-01, the first day of the set; expected evidence estimate, or figures compared with their sources for this year, and a verifiedOn from 2025-07-01',
  ],
]

test.each(bad)('refused: %s', (_, changes, message) => {
  expect(faultsOf(changes)).toEqual([`review-dates ${AT}.${message}`])
})

const carried: Changes = {
  [`${AT}.verifiedOn`]: '2025-06-30',
  [`${AT}.reviewBy`]: '2026-06-01',
  [`${AT}.evidence`]: 'estimate',
  'rules[0].cases[0].warning': 'Carried over from 2025-2026, not verified: duty.',
  'rules[0].cases[1].warning': 'Carried over from 2025-2026, not verified: duty.',
}

test('a figure that is carried over from the year before may be both, as an estimate', () => {
  expect(faultsOf(carried)).toEqual([])
})

test('a case that is graded better than its rule is not carried over', () => {
  expect(faultsOf({ ...carried, 'rules[0].cases[0].evidence': 'official' })).toEqual([
    expect.stringContaining('2026-06-01 is before 2026-07-01') as string,
  ])
})
