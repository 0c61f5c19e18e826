import type { Given } from '../engine/grammar/rate-set.ts'
import { isIn, moveDay, type YearMove } from './years.ts'
import { textAt, type YamlText } from './yaml-text.ts'

/**
 * How the inputs move to the next year. `with the vehicle`: with the dates of the vehicle, so that it keeps its age.
 * `the day alone`: without them, for a law that names a day (first registered before 1 July 2025). Or not at all.
 */
export const WAYS = ['with the vehicle', 'the day alone'] as const
export type Way = (typeof WAYS)[number]

const VEHICLE_DATES = ['manufactureDate', 'firstRegisteredDate'] as const

/** The inputs of an example or case, a year later. */
export function moveGiven<T extends Given>(given: T, way: Way, move: YearMove): T {
  const moved = { ...given }
  if (given.date !== undefined && isIn(move.from, given.date)) moved.date = moveDay(given.date)
  if (way === 'the day alone') return moved
  for (const key of VEHICLE_DATES) if (given[key] !== undefined) moved[key] = moveDay(given[key])
  if (given.year !== undefined) moved.year = String(Number(given.year) + 1)
  return moved
}

/** Moves the inputs in the text of a file; `node` is the map of the inputs. */
export function moveGivenIn(text: YamlText, node: unknown, given: Given): void {
  for (const key of ['date', ...VEHICLE_DATES, 'year'] as const) {
    const value = given[key]
    if (value !== undefined && value !== textAt(node, key)) text.set(node, key, value)
  }
}
