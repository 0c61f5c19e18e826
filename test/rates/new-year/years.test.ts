import { expect, test } from 'vitest'
import { carriedOverWarning, countCarriedOver } from '#rates/new-year/carried-over.ts'
import { moveText, moveTo, reviewBefore } from '#rates/new-year/years.ts'

const move = moveTo(2028)

test.each([
  ['a day of the year', 'on 2026-07-01 and 2027-06-30', 'on 2027-07-01 and 2028-06-30'],
  ['a day of another year', 'registered by 2025-06-30', 'registered by 2025-06-30'],
  ['a month of the year', 'from 1 July 2026, C from February 2027', 'from 1 July 2027, C from February 2028'],
  ['a month of another year', 'a table of April 2026', 'a table of April 2026'],
  ['the month of a record', 'the record of September 2026, of 5 October 2026', 'the record of September 2026, of 5 October 2026'],
  ['the name of the year', '2026-27, 2026-2027', '2027-28, 2027-2028'],
  ['the name of the year before', '110.60 in 2025-26', '110.60 in 2025-26'],
])('in a text moves, or stays: %s', (_, text, moved) => {
  expect(moveText(text, move)).toBe(moved)
})

test('a review is due in the month before the first day, but never before the figure was verified', () => {
  expect(reviewBefore(move, '2026-11-21')).toBe('2027-06-01')
  expect(reviewBefore(move, '2027-06-30')).toBe('2027-07-01')
})

test('a figure that is carried over twice says the year that it was verified for', () => {
  const once = carriedOverWarning('2026-2027', 'Number plates.')
  expect(once).toBe('Carried over from 2026-2027, not verified: Number plates.')
  expect(carriedOverWarning('2027-2028', once)).toBe(once)
  expect(countCarriedOver({ rules: [{ cases: [{ warning: once }, { warning: 'An estimate.' }] }] })).toBe(1)
})
