import { yearDates } from '../engine/dates.ts'
import type { Fault } from './fault.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** The subject of a check: one rate set, and the sets of the same year that it imports, as far as they are known. */
export interface Subject {
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
  /** First and last day of the financial year, ISO. */
  year: { start: string; end: string }
}

/** A check finds one kind of fault; paths are relative to `spec`. */
export type Check = (subject: Subject) => Fault[]

/** A part of a set and its path. */
export interface At<T> {
  path: string
  value: T
}

/** Makes the subject of a set that satisfies the schema. */
export function subjectOf(spec: RateSetSpec, imports: readonly RateSetSpec[]): Subject {
  const { startDate: start, endDate: end } = yearDates(spec.financialYear)
  return { spec, imports, year: { start, end } }
}

/** The entries of a list with their paths; none when the list is absent. */
export function entries<T>(path: string, list: readonly T[] | undefined): At<T>[] {
  return (list ?? []).map((value, position) => ({ path: `${path}[${position}]`, value }))
}

/** The value of an optional key with its path, as a list of one or none. */
export function optional<T>(path: string, value: T | undefined): At<T>[] {
  return value === undefined ? [] : [{ path, value }]
}
