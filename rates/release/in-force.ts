import { isDate } from '../engine/dates.ts'

/** When a release was in force, ISO times in UTC; the present one has no end. */
export interface InForce {
  since: string
  until?: string
}

/** Whether a text is a time of a period. */
export const isPeriodTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** Of releases, the newest first, the one that was in force at a time in milliseconds; undefined when none is known. */
export function inForceAt<R extends { inForce: readonly InForce[] }>(known: readonly R[], at: number): R | undefined {
  const covers = ({ since, until }: InForce) =>
    Date.parse(since) <= at && (until === undefined || at < Date.parse(until))
  // The newest first: the end of a period is written a moment after the next one has begun.
  return known.find(({ inForce }) => inForce.some(covers))
}

/** When a release was last put in force; ISO time, empty when that is not known. */
export const lastSince = ({ inForce }: { inForce: readonly InForce[] }): string => inForce.at(-1)?.since ?? ''

/**
 * The periods that a statement of some time, in seconds since 1970, proves: one without an end, up to that time, because
 * what came afterwards is not known from it.
 */
export function provenPeriods(inForce: readonly InForce[], iat: number): InForce[] {
  const said = new Date(iat * 1000).toISOString()
  return inForce
    .map(({ since, until = said }) => ({ since, until }))
    .filter(({ since, until }) => Date.parse(since) < Date.parse(until))
}

/** The periods of one release from several records, in order; of two with the same start, the one that lasts longer. */
export function mergedPeriods(...records: readonly (readonly InForce[])[]): InForce[] {
  const bySince = new Map<number, InForce>()
  for (const period of records.flat()) {
    const known = bySince.get(Date.parse(period.since))
    if (!known || endOf(period) > endOf(known)) bySince.set(Date.parse(period.since), period)
  }
  return [...bySince].toSorted(([a], [b]) => a - b).map(([, period]) => period)
}

const endOf = ({ until }: InForce): number => (until === undefined ? Infinity : Date.parse(until))

/** The time that an ISO text with a zone means, in milliseconds; undefined where it is none. */
export function timeOf(text: string): number | undefined {
  const [matched, day = '', hour, minute, second = '0'] =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (matched === undefined || !isDate(day)) return undefined
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const time = Date.parse(text)
  return isTime && !Number.isNaN(time) ? time : undefined
}
