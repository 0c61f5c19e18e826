import { expect, test } from 'vitest'
import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { BODY_TYPES, CONDITIONS, type Fact } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { factsNamed, fieldOf, valuesOf, withField } from './fact-values.ts'
import { labelOf, sets, snapshotOf } from './sets.ts'

// Every assumption of every set beside every fact that can be sent: what is assumed could have been sent with it.
const snapshot = snapshotOf(sets)
const subjects = sets
  .filter(({ offers }) => offers !== undefined)
  .map((spec): [string, RateSetSpec] => [labelOf(spec), spec])

/** The answer, or why the request is refused. */
function answered(request: QuoteRequest): Quote | PricingFault {
  try {
    return quote(request, snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error
    throw error
  }
}

/** Facts that a vehicle is described by, one of which is sent. */
const ofVehicle = (fact: Fact) => fieldOf(fact).startsWith('/vehicleGeneric/') && !['bodyType', 'condition'].includes(fact)

function* vehiclesOf(spec: RateSetSpec): Generator<QuoteRequest> {
  const imports = sets.filter(
    ({ pricingCode, financialYear }) => spec.imports?.includes(pricingCode) && financialYear === spec.financialYear,
  )
  const specs = [spec, ...imports]
  const startDate = `${spec.financialYear.slice(5)}-02-10`
  for (const bodyType of BODY_TYPES) {
    for (const condition of CONDITIONS) {
      const vehicle: QuoteRequest = {
        pricingCode: spec.pricingCode,
        showroomCode: 'TEST01',
        purchaseDate: startDate,
        vehicleGeneric: { bodyType, condition },
        pricingInputs: { dutiable: [{ description: 'vehicle', value: 79_000_00 }] },
        registration: { startDate },
      }
      for (const fact of factsNamed(specs).filter(ofVehicle))
        for (const value of valuesOf(fact, specs, vehicle)) yield withField(vehicle, fieldOf(fact), value)
    }
  }
}

test.each(subjects)('%s: no value is assumed that contradicts a fact that was sent', (_name, spec) => {
  const refused = new Set<string>()
  let assumed = 0
  for (const request of vehiclesOf(spec)) {
    const answer = answered(request)
    if (answer instanceof PricingFault) continue
    for (const { kind, path, assumed: value } of answer.metadata.assumptions) {
      if (kind !== 'assumed' || value === null || !path.startsWith('/vehicleGeneric/')) continue
      assumed++
      const again = answered(withField(request, path, value))
      if (again instanceof PricingFault)
        refused.add(`${JSON.stringify(request.vehicleGeneric)} with ${path} ${String(value)}: ${again.message}`)
    }
  }
  expect([...refused]).toEqual([])
  expect(assumed).toBeGreaterThan(100)
})
