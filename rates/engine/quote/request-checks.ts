import { PricingFault } from '../answer.ts'
import type { CompiledConcession } from '../compile/concessions.ts'
import { covers, dayOf, financialYearOf, isoOf } from '../dates.ts'
import { checkLines, checkTotal } from './line-checks.ts'
import type { Program } from '../compile/program.ts'
import { termMonthsOf, type QuoteRequest } from '../request.ts'
import type { Jurisdiction, Snapshot } from '../snapshot.ts'
import type { JurisdictionYear } from '../summaries.ts'
import { checkVehicle } from './vehicle-checks.ts'

/** The day and year whose rates price a request, once every check has passed. */
export interface PricingDay {
  readonly year: JurisdictionYear
  readonly day: number
  /** The same day, ISO. */
  readonly date: string
  /** Set when the rates of an earlier day replace those of the requested day. */
  readonly substituted: boolean
}

/** Runs the checks of a quote in order; `pricingDay` is null for an empty quote. Throws PricingFault. */
export function checkRequest(request: QuoteRequest, snapshot: Snapshot) {
  checkLines(request)
  checkTotal(request)
  return checkVehicleAndDay(request, snapshot)
}

/** Runs the checks of a quote except those of its lines. Throws PricingFault. */
export function checkVehicleAndDay(request: QuoteRequest, snapshot: Snapshot) {
  const jurisdiction = jurisdictionOf(request, snapshot)
  checkPurchase(request, jurisdiction)
  checkVehicle(request)
  return { jurisdiction, pricingDay: pricingDayOf(request, jurisdiction) }
}

/** The jurisdiction of a pricing code that can be quoted. Throws INVALID_PRICING_CODE or not_ready. */
export function jurisdictionOf({ pricingCode }: QuoteRequest, { jurisdictions, unavailable }: Snapshot): Jurisdiction {
  const found = Object.hasOwn(jurisdictions, pricingCode) ? jurisdictions[pricingCode] : undefined
  if (found) return found
  if (unavailable.includes(pricingCode))
    throw new PricingFault(
      'not_ready',
      '/pricingCode',
      `The rates of ${pricingCode} are not loaded yet; try again later.`,
    )
  const known = Object.keys(jurisdictions).sort().join(', ')
  throw new PricingFault(
    'INVALID_PRICING_CODE',
    '/pricingCode',
    `pricingCode must be one of ${known || '(none loaded)'}.`,
  )
}

/** Throws UNSUPPORTED_FINANCIAL_YEAR when the year of the purchase has no rates. */
export function checkPurchase({ purchaseDate }: QuoteRequest, { range }: Jurisdiction): void {
  if (purchaseDate >= range.start && purchaseDate <= range.end) return
  const message = `purchaseDate ${purchaseDate} is not in a financial year that is priced: ${range.financialYears.join(', ')}.`
  throw new PricingFault('UNSUPPORTED_FINANCIAL_YEAR', '/purchaseDate', message)
}

/** The year and day whose rates price the request; null for an empty quote. Throws UNSUPPORTED_REGISTRATION_DATE. */
export function pricingDayOf(request: QuoteRequest, { range, years }: Jurisdiction): PricingDay | null {
  const { startDate } = request.registration
  const policy = request.taxDatePolicy?.outOfRange ?? 'legacy'
  const after = startDate > range.end
  if (after || startDate < range.start) {
    if (policy === 'legacy') return null
    if (policy === 'error' || !after) {
      const message = `registration.startDate ${startDate} is outside the published rates, ${range.start} to ${range.end}.`
      throw new PricingFault('UNSUPPORTED_REGISTRATION_DATE', '/registration/startDate', message)
    }
  }
  const date = after ? range.end : startDate
  const day = dayOf(date)
  const year = years[financialYearOf(day)]
  return year ? { year, day, date, substituted: after } : null
}

/**
 * The claimed concession, or null. Throws INVALID_CONCESSION when it does not exist on that day. A concession does not
 * outlive its own last day when earlier rates stand in for a later day: the result is then null.
 */
export function concessionOf(request: QuoteRequest, { year, day, substituted }: PricingDay): CompiledConcession | null {
  const { program } = year
  const found = claimOf(request, program)
  if (found === null) return null
  if (found && substituted && hasEnded(found, request)) return null
  if (found && day >= found.from && day <= found.to) return found
  const claim = request.customer?.concession ?? {}
  const known = [...program.concessions.values()].filter(({ from, to }) => day >= from && day <= to)
  const list = known.map(({ type }) => type).join(', ') || 'none'
  const problem = claim.type === undefined ? 'is not sent' : `${claim.type} is not known`
  const message = `customer.concession.type ${problem} on ${isoOf(day)}; known: ${list}.`
  throw new PricingFault('INVALID_CONCESSION', '/customer/concession/type', message)
}

/** The claimed concession; null when none is claimed, undefined when the year has none of that name. */
export function claimOf({ customer }: QuoteRequest, { concessions }: Program): CompiledConcession | null | undefined {
  const claim = customer?.concession
  if (claim?.hasConcession !== true) return null
  return claim.type === undefined ? undefined : concessions.get(claim.type)
}

/** Whether the concession ended, by its own last day, before the requested day. */
const hasEnded = ({ last }: CompiledConcession, { registration }: QuoteRequest): boolean =>
  last !== null && last < dayOf(registration.startDate)

/** Throws UNSUPPORTED_REGISTRATION_TYPE when the type is not offered on that day. */
export function checkType(type: string, { year, date: on }: PricingDay, pricingCode: string): void {
  for (const each of year.registrationTypes) {
    if (each.type === type && covers(each, on)) return
  }
  const offered = year.registrationTypes.filter((each) => covers(each, on))
  const list = offered.map((each) => each.type).join(', ') || 'none'
  const message = `registration.type ${type} is not priced in ${pricingCode} on ${on}; offered: ${list}.`
  throw new PricingFault('UNSUPPORTED_REGISTRATION_TYPE', '/registration/type', message)
}

/** The term that prices the request, in months. Throws UNSUPPORTED_REGISTRATION_TERM, which lists the terms offered. */
export function requestedTermOf(sent: number | undefined, { terms }: JurisdictionYear, pricingCode: string): number {
  const months = termMonthsOf(sent, terms)
  if (terms.includes(months)) return months
  const message = `registration.termMonths ${months} is not offered in ${pricingCode}; offered: ${terms.join(', ') || 'none'}.`
  throw new PricingFault('UNSUPPORTED_REGISTRATION_TERM', '/registration/termMonths', message)
}
