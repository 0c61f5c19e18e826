import { isDate } from '../engine/dates.ts'
import type { InForce } from './kept-release.ts'

/** Of releases, the newest first, the one that was in force at a time in milliseconds; undefined when none is known. */
export function inForceAt<R extends { inForce: readonly InForce[] }>(known: readonly R[], at: number): R | undefined {
  const covers = ({ since, until }: InForce) =>
    Date.parse(since) <= at && (until === undefined || at < Date.parse(until))
  // The newest first: the end of a period is written a moment after the next one has begun.
  return known.find(({ inForce }) => inForce.some(covers))
}

/** When a release was last put in force; ISO time, empty when that is not known. */
export const lastSince = ({ inForce }: { inForce: readonly InForce[] }): string => inForce.at(-1)?.since ?? ''

/** The time that an ISO text with a zone means, in milliseconds; undefined where it is none. */
export function timeOf(text: string): number | undefined {
  const [matched, day = '', hour, minute, second = '0'] =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (matched === undefined || !isDate(day)) return undefined
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const time = Date.parse(text)
  return isTime && !Number.isNaN(time) ? time : undefined
}
