import type { PlacedRule } from './attach.ts'

const count = (keys: readonly string[]) => keys.map((key) => `(has(self.${key}) ? 1 : 0)`).join(' + ')

// A sum of ternaries: a list literal with a filter costs more than the server allows on table rows.

/** Exactly one of the keys stands. */
export const exactlyOne = (path: string, keys: readonly string[]): PlacedRule => ({
  path,
  rule: `${count(keys)} == 1`,
  message: `expected exactly one of ${keys.join(', ')}`,
})

/** At most one of the keys stands. */
export const atMostOne = (path: string, keys: readonly string[]): PlacedRule => ({
  path,
  rule: `${count(keys)} <= 1`,
  message: `expected at most one of ${keys.join(', ')}`,
})

/** No two entries of a list have the same value under `key`. */
export const uniqueBy = (path: string, key: string): PlacedRule => ({
  path,
  rule: `self.all(a, self.exists_one(b, b.${key} == a.${key}))`,
  message: `expected each ${key} once`,
})

/**
 * No two entries of a list of plain values are the same. The server lets one rule cost a million steps, and the comparison
 * costs the square of the length: of a list longer than `compared`, repetitions are left to the reader of the list.
 */
export const uniqueValues = (path: string, message: string, compared?: number): PlacedRule => ({
  path,
  rule: `${compared === undefined ? '' : `self.size() > ${compared} || `}self.all(a, self.exists_one(b, b == a))`,
  message,
})

/** `startDate` is not after `endDate`. */
export const datesInOrder = (path: string): PlacedRule => ({
  path,
  rule: '!has(self.startDate) || !has(self.endDate) || self.startDate <= self.endDate',
  message: 'expected startDate on or before endDate',
})
