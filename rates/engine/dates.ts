/** Calendar dates as numbers `yyyymmdd`, which sort like the dates. This module uses no clock and no time zone. */

/** Converts `2026-07-01` to 20260701; the text must be a date. */
export function dayOf(iso: string): number {
  return (two(iso, 0) * 100 + two(iso, 2)) * 10_000 + two(iso, 5) * 100 + two(iso, 8)
}

const ZERO = 48

// No substrings, for speed: a quote parses up to five dates.
const two = (text: string, at: number) => (text.charCodeAt(at) - ZERO) * 10 + (text.charCodeAt(at + 1) - ZERO)

/** Converts 20260701 to `2026-07-01`. */
export function isoOf(day: number): string {
  const text = String(day).padStart(8, '0')
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
}

const leap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function daysInMonth(year: number, month: number): number {
  if (month === 2) return leap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether a text is a calendar date, `YYYY-MM-DD`. */
export function isDate(iso: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return false
  const [year, month, day] = [two(iso, 0) * 100 + two(iso, 2), two(iso, 5), two(iso, 8)]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** The same day `years` later; 29 February becomes 28 February in a year without it. */
export function addYears(day: number, years: number): number {
  const year = Math.floor(day / 10_000) + years
  const month = Math.floor(day / 100) % 100
  return year * 10_000 + month * 100 + Math.min(day % 100, daysInMonth(year, month))
}

/** The same day `months` later; the last day of the month when the month is too short. */
export function addMonths(day: number, months: number): number {
  const month = (Math.floor(day / 100) % 100) - 1 + months
  const year = Math.floor(day / 10_000) + Math.floor(month / 12)
  const monthOfYear = (month % 12) + 1
  return year * 10_000 + monthOfYear * 100 + Math.min(day % 100, daysInMonth(year, monthOfYear))
}

/** The number of days in the `months` from a day: 184 for 6 months from 1 July. */
export function daysInMonths(day: number, months: number): number {
  return daysSince(addMonths(day, months)) - daysSince(day)
}

/**
 * Days since 1 March of the year 0. Counted from March, leap days come last, so that each month starts at a fixed day
 * of its year.
 */
function daysSince(day: number): number {
  const month = (Math.floor(day / 100) % 100) - 3
  const year = Math.floor(day / 10_000) - (month < 0 ? 1 : 0)
  const inYear = Math.floor((153 * (month < 0 ? month + 12 : month) + 2) / 5) + (day % 100) - 1
  return year * 365 + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + inYear
}

/** First and last day of a financial year such as `2026-2027`. */
export function yearBounds(financialYear: string): { start: number; end: number } {
  const first = Number(financialYear.slice(0, 4))
  return { start: first * 10_000 + 701, end: (first + 1) * 10_000 + 630 }
}

/** A part of a rate set that has dates of its own, ISO, both inclusive. */
export interface Dated {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** First and last day on which a part of a set is in force; by default the whole financial year. */
export function inForce(part: Dated, financialYear: string): { from: number; to: number } {
  const { start, end } = yearBounds(financialYear)
  return {
    from: part.startDate === undefined ? start : dayOf(part.startDate),
    to: part.endDate === undefined ? end : dayOf(part.endDate),
  }
}

/** First and last day, ISO, both inclusive. */
export interface Dates {
  startDate: string
  endDate: string
}

/** First and last day, ISO, on which a part of a set is in force; by default the whole financial year. */
export function datesInForce(part: Dated, financialYear: string): Dates {
  const { from, to } = inForce(part, financialYear)
  return { startDate: isoOf(from), endDate: isoOf(to) }
}

/** First and last day of a financial year, ISO. */
export const yearDates = (financialYear: string): Dates => datesInForce({}, financialYear)

/** Whether an ISO day lies within dates, both inclusive. */
export const covers = ({ startDate, endDate }: Dates, day: string): boolean => startDate <= day && day <= endDate

/** The day after an ISO day. */
export const dayAfter = (iso: string): string => shifted(iso, 1)

/** The day before an ISO day. */
export const dayBefore = (iso: string): string => shifted(iso, -1)

const shifted = (iso: string, days: number) => new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10)

/** The financial year of a day, such as `2026-2027`. */
export function financialYearOf(day: number): string {
  const year = Math.floor(day / 10_000)
  const first = day % 10_000 >= 701 ? year : year - 1
  return (names[first] ??= `${yearName(first)}-${yearName(first + 1)}`)
}

const yearName = (year: number) => String(year).padStart(4, '0')

// Names are cached: looking a year up by a newly built string costs as much as pricing a line.
const names: string[] = []

/** The short form of a financial year: `FY27` for `2026-2027`. */
export const yearSuffix = (financialYear: string): string => `FY${financialYear.slice(7)}`
