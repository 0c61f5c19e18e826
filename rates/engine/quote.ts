import type { Quote, QuoteLine } from './answer.ts'
import { financialYearOf, dayOf } from './dates.ts'
import { stateOf } from './inputs.ts'
import { onRoadLine, requestLines } from './lines.ts'
import { priceLines } from './price.ts'
import {
  askedOf,
  checkPurchase,
  checkType,
  checkVehicle,
  concessionOf,
  jurisdictionOf,
  termOf,
  type Asked,
} from './request-checks.ts'
import type { QuoteRequest } from './request.ts'
import type { Jurisdiction, Snapshot } from './snapshot.ts'
import { warn, type State } from './state.ts'
import { unknownFields } from './unknown-fields.ts'

/** Prices one request with one snapshot: no clock, no I/O; money in integer cents. Throws PricingFault. */
export function quote(request: QuoteRequest, snapshot: Snapshot): Quote {
  const jurisdiction = jurisdictionOf(request, snapshot)
  checkPurchase(request, jurisdiction)
  checkVehicle(request)
  const asked = askedOf(request, jurisdiction)
  if (asked === null) return emptyQuote(request, jurisdiction, snapshot.release)
  const state = prepare(request, asked)
  sayDefaults(request, asked, state)
  const { program } = asked.year
  const charges = priceLines(program, state)
  const { dutiable, additional } = request.pricingInputs
  const onRoad: QuoteLine[] = []
  for (const charge of charges) if (charge !== null) onRoad.push(onRoadLine(charge))
  const categories = {
    dutiable: requestLines(dutiable, 'dutiable', program, state),
    onRoad,
    additional: additional ? requestLines(additional, 'additional', program, state) : [],
  }
  const metadata: Quote['metadata'] = {
    release: snapshot.release,
    financialYear: asked.year.financialYear,
    warnings: state.messages.warnings,
    assumptions: state.messages.assumptions,
    taxFallbackApplied: asked.substituted,
  }
  if (asked.substituted) metadata.taxEffectiveDate = jurisdiction.range.end
  return { categories, totals: totalsOf(categories), metadata }
}

/** The defaults of DESIGN 6: type `new`; a vehicle is new unless it is transferred. */
function prepare(request: QuoteRequest, asked: Asked): State {
  const { registration, vehicleGeneric, pricingCode } = request
  const { program } = asked.year
  const registrationType = registration.type ?? 'new'
  const concession = concessionOf(request, program, asked.day)
  checkType(registrationType, asked, pricingCode)
  const termMonths = termOf(registration.termMonths, asked.year, pricingCode)
  const condition = vehicleGeneric?.condition ?? (registrationType === 'transfer' ? 'used' : 'new')
  return stateOf(request, { day: asked.day, termMonths, registrationType, condition, concession }, program)
}

const GENERIC = 'vehicleGeneric used: make and model default to generic, and make-specific rules cannot apply.'

function sayDefaults(request: QuoteRequest, asked: Asked, state: State): void {
  const { assumptions } = state.messages
  warn(state, GENERIC)
  assumptions.push({ path: '/vehicleGeneric', assumed: 'generic', reason: GENERIC })
  if (request.vehicleGeneric?.condition === undefined) {
    const assumed = request.registration.type === 'transfer' ? 'used' : 'new'
    const reason = `condition not sent: the vehicle is taken as ${assumed}.`
    warn(state, reason)
    assumptions.push({ path: '/vehicleGeneric/condition', assumed, reason })
  }
  if (asked.substituted) {
    const { endDate } = asked.year
    const reason = `No rates are published for ${request.registration.startDate}: prior-year fallback, priced as on ${endDate}.`
    warn(state, reason)
    assumptions.push({ path: '/registration/startDate', assumed: endDate, reason })
  }
  for (const text of requestWarnings(request)) warn(state, text)
}

/** What is said of the request itself, whatever its price. */
function requestWarnings(request: QuoteRequest): string[] {
  const warnings = unknownFields(request).map((path) => `${path} is not a field of a quote request: ignored.`)
  const claim = request.customer?.concession
  if (claim?.type !== undefined && claim.hasConcession !== true) {
    warnings.push('customer.concession.type is ignored: hasConcession is not true.')
  }
  return warnings
}

function emptyQuote(request: QuoteRequest, { range }: Jurisdiction, release: string): Quote {
  const { startDate } = request.registration
  const reason = `registration.startDate ${startDate} is outside the published rates, ${range.start} to ${range.end}: nothing is priced.`
  const categories = { dutiable: [], onRoad: [], additional: [] }
  return {
    categories,
    totals: totalsOf(categories),
    metadata: {
      release,
      financialYear: financialYearOf(dayOf(startDate)),
      warnings: [reason, ...requestWarnings(request)],
      assumptions: [],
      taxFallbackApplied: false,
    },
  }
}

function totalsOf({ dutiable, onRoad, additional }: Quote['categories']): Quote['totals'] {
  const values = { dutiable: valueOf(dutiable), onRoad: valueOf(onRoad), additional: valueOf(additional) }
  const tax = { dutiable: taxOf(dutiable), onRoad: taxOf(onRoad), additional: taxOf(additional) }
  return {
    ...values,
    driveAway: values.dutiable + values.onRoad + values.additional,
    tax: { ...tax, overall: tax.dutiable + tax.onRoad + tax.additional },
  }
}

function valueOf(lines: readonly QuoteLine[]): number {
  let total = 0
  for (const { value } of lines) total += value
  return total
}

function taxOf(lines: readonly QuoteLine[]): number {
  let total = 0
  for (const { tax } of lines) total += tax.amount
  return total
}
