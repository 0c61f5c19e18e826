import { expect, test } from 'vitest'
import { conditionWords } from '#rates/diff/condition-words.ts'
import type { Resolver } from '#rates/diff/amounts.ts'
import { AS_WRITTEN } from '#rates/diff/vocabulary.ts'

const resolver = { amount: String, words: AS_WRITTEN } as unknown as Resolver

test.each([
  [{ from: 'manufactureDate', moreThanYears: 2 }, 'manufactureDate more than 2 years ago'],
  [{ from: 'firstRegisteredDate', atMostYears: 1 }, 'firstRegisteredDate at most 1 year ago'],
  [
    { from: 'manufactureDate', moreThanYears: 2, atMostYears: 30 },
    'manufactureDate more than 2 years ago, at most 30 years ago',
  ],
] as const)('an age %j reads %s', (age, words) => {
  expect(conditionWords({ age }, resolver)).toBe(words)
})

test('a condition on the day asked for is said of the field that has it', () => {
  expect(conditionWords({ requestedDate: { to: '2027-06-30' } }, resolver)).toBe('registration.startDate to 2027-06-30')
})
