import type { PlacedRule } from './attach.ts'

const count = (keys: readonly string[]) => keys.map((key) => `(has(self.${key}) ? 1 : 0)`).join(' + ')

// A sum of ternaries: on table rows, a list literal with a filter costs more than the server allows.

/** Exactly one of the keys is present. */
export const exactlyOne = (path: string, keys: readonly string[]): PlacedRule => ({
  path,
  rule: `${count(keys)} == 1`,
  message: `expected exactly one of ${keys.join(', ')}`,
})

/** At most one of the keys is present. */
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
 * No two entries of a list of plain values are equal. The server allows one rule a million steps, and the comparison
 * costs the square of the length, so a list longer than `compared` is not checked: its reader must handle repetitions.
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
