import type { Quote, QuoteLine } from '../answer.ts'
import { allUnpriced, checkComplete } from './completeness.ts'
import { sayEnded, sayWithoutEffect } from './concession-effect.ts'
import { financialYearOf, dayOf } from '../dates.ts'
import { stateOf, type QuoteDefaults } from './inputs.ts'
import { mayRise, onRoadLine, requestLines } from './lines.ts'
import { priceLines } from '../price/price.ts'
import { checkRequest, checkType, concessionOf, requestedTermOf, type PricingDay } from './request-checks.ts'
import { conditionOf, registrationTypeOf, type QuoteRequest } from '../request.ts'
import type { Jurisdiction, Snapshot } from '../snapshot.ts'
import { sayDefaults } from './request-defaults.ts'
import { say, sayIgnored, sayOfRequest } from './request-notes.ts'
import type { Messages } from '../state.ts'
import { sayTaxOfNew } from './tax-paid-before.ts'

/** Prices one request with one snapshot, without clock or I/O; money is in integer cents. Throws PricingFault. */
export function quote(request: QuoteRequest, snapshot: Snapshot): Quote {
  const { jurisdiction, pricingDay } = checkRequest(request, snapshot)
  if (pricingDay === null) return emptyQuote(request, jurisdiction, snapshot.release)
  const defaults = quoteDefaults(request, pricingDay)
  const state = stateOf(request, defaults, pricingDay.year.program)
  sayOfRequest(request, pricingDay, state.messages)
  const { program } = pricingDay.year
  const charges = priceLines(program, state)
  const priced = { lines: charges, messages: state.messages }
  sayDefaults(request, defaults, pricingDay, priced)
  if (defaults.concession) sayWithoutEffect(request, defaults, program, priced)
  else sayEnded(request, program, state.messages)
  sayTaxOfNew(request, defaults, program, priced)
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
    financialYear: pricingDay.year.financialYear,
    complete: state.messages.unpriced.length === 0,
    unpriced: state.messages.unpriced,
    mayRise: mayRise(charges, pricingDay.substituted),
    warnings: state.messages.warnings,
    assumptions: state.messages.assumptions,
    taxFallbackApplied: pricingDay.substituted,
  }
  if (pricingDay.substituted) metadata.taxEffectiveDate = jurisdiction.range.end
  checkComplete(request, metadata)
  return { categories, totals: totalsOf(categories), metadata }
}

/**
 * Fills in the defaults of a request: the registration type is `new`; a vehicle is new unless its registration is
 * transferred. Throws PricingFault.
 */
export function quoteDefaults(request: QuoteRequest, pricingDay: PricingDay): QuoteDefaults {
  const { registration, vehicleGeneric, pricingCode } = request
  const registrationType = registrationTypeOf(registration.type)
  const concession = concessionOf(request, pricingDay)
  checkType(registrationType, pricingDay, pricingCode)
  const termMonths = requestedTermOf(registration.termMonths, pricingDay.year, pricingCode)
  const condition = conditionOf(vehicleGeneric?.condition, registrationType)
  return {
    day: pricingDay.day,
    ageDay: dayOf(registration.startDate),
    termMonths,
    registrationType,
    condition,
    concession,
  }
}

function emptyQuote(request: QuoteRequest, jurisdiction: Jurisdiction, release: string): Quote {
  const { range } = jurisdiction
  const { startDate } = request.registration
  const reason = `registration.startDate ${startDate} is outside the published rates, ${range.start} to ${range.end}: nothing is priced.`
  const categories = { dutiable: [], onRoad: [], additional: [] }
  const messages: Messages = { warnings: [], assumptions: [], unpriced: allUnpriced(request, jurisdiction, reason) }
  say(messages, { kind: 'unpriced', path: '/registration/startDate', assumed: null, reason })
  sayIgnored(request, messages)
  const metadata = {
    release,
    financialYear: financialYearOf(dayOf(startDate)),
    complete: false,
    mayRise: [],
    ...messages,
    taxFallbackApplied: false,
  }
  checkComplete(request, metadata)
  return { categories, totals: totalsOf(categories), metadata }
}

function totalsOf({ dutiable, onRoad, additional }: Quote['categories']): Quote['totals'] {
  const sums = { dutiable: sumOf(dutiable), onRoad: sumOf(onRoad), additional: sumOf(additional) }
  return {
    dutiable: sums.dutiable.value,
    onRoad: sums.onRoad.value,
    additional: sums.additional.value,
    driveAway: sums.dutiable.value + sums.onRoad.value + sums.additional.value,
    tax: {
      dutiable: sums.dutiable.tax,
      onRoad: sums.onRoad.tax,
      additional: sums.additional.tax,
      overall: sums.dutiable.tax + sums.onRoad.tax + sums.additional.tax,
    },
  }
}

function sumOf(lines: readonly QuoteLine[]): { value: number; tax: number } {
  let value = 0
  let tax = 0
  for (const line of lines) {
    value += line.value
    tax += line.tax.amount
  }
  return { value, tax }
}
