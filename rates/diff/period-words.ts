import type { FigureChange } from './figure-change.ts'
import { dayAfter } from '../engine/dates.ts'

/**
 * How long a change lasts, and whether the change shortens or postpones an announced one; undefined when it lasts from
 * its first day to the last day that the rate sets cover. `day` formats an ISO day.
 */
export function periodWords(
  { kind, old, from, until, course, instead, correction }: FigureChange,
  day: (iso: string) => string,
): string | undefined {
  if (kind === 'set') return undefined
  // Past charges stay charged, whatever the rates now say about them.
  const isToCome = correction !== true
  if (course === 'postponed' && until && isToCome)
    return `postponed from ${day(from)}: ${old === null ? `until ${day(until)}` : begins(instead, old, day(dayAfter(until)))}`
  if (course === 'broughtForward' && until) return `brought forward from ${day(dayAfter(until))}`
  if (course === 'cancelled' && isToCome)
    return `the change that was announced for ${day(from)} does not take place${until ? `; until ${day(until)}` : ''}`
  return until && `until ${day(until)}`
}

/** What applies after a postponement: what was announced, or a different figure. */
const begins = (instead: string | undefined, announced: string, day: string): string =>
  instead === undefined ? `${announced} applies from ${day}` : `${instead} applies from ${day} instead of ${announced}`
