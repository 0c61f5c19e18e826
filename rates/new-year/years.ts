import { addYears, dayOf, isDate, isoOf, yearDates } from '../engine/dates.ts'

/** A move from one financial year to the next, both written like `2026-2027`. */
export interface YearMove {
  from: string
  to: string
}

/** The financial year that ends in a given year: `2027-2028` for 2028. */
export const yearEnding = (year: number): string => `${year - 1}-${year}`

/** The move to the financial year that ends in a given year, from the year before it. */
export const moveTo = (year: number): YearMove => ({ from: yearEnding(year - 1), to: yearEnding(year) })

/** The same ISO day one year later. */
export const moveDay = (day: string): string => isoOf(addYears(dayOf(day), 1))

/** Whether an ISO day is within a financial year. */
export function isIn(financialYear: string, day: string): boolean {
  const { startDate, endDate } = yearDates(financialYear)
  return day >= startDate && day <= endDate
}

/**
 * A review day in the month before the year begins; for a figure verified later than that, the day after its
 * verification.
 */
export function reviewBefore({ to }: YearMove, verifiedOn: string): string {
  const day = `${to.slice(0, 4)}-06-01`
  if (day > verifiedOn) return day
  return new Date(Date.parse(verifiedOn) + 86_400_000).toISOString().slice(0, 10)
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
// "a record of September 2026" means that month and stays.
const DATED = new RegExp(`(?<!\\bof (?:\\d{1,2} )?)\\b(${MONTHS.join('|')}) (\\d{4})\\b`, 'g')

/**
 * A text with the days, months and names of one year moved to the other: `from 1 July 2026`, `2026-27`, `2026-08-31`.
 */
export function moveText(text: string, { from, to }: YearMove): string {
  const short = (year: string) => `${year.slice(0, 5)}${year.slice(-2)}`
  return text
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => (isDate(day) && isIn(from, day) ? moveDay(day) : day))
    .replaceAll(from, to)
    .replaceAll(new RegExp(`\\b${short(from)}\\b(?!-)`, 'g'), short(to))
    .replaceAll(DATED, (words: string, month: string, year: string) => {
      const day = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-01`
      return isIn(from, day) ? `${month} ${Number(year) + 1}` : words
    })
}
