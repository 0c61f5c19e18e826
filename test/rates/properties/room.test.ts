import { expect, test } from 'vitest'
import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { CONDITIONS, type Fact } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'
import { checkVehicle } from '#rates/engine/quote/vehicle-checks.ts'
import { factsNamed, fieldOf, valuesOf, withField } from './fact-values.ts'
import { drawnSets, labelOf, sets, snapshotOf } from './sets.ts'

// Every assumption of every set beside every fact that can be sent: what is assumed could have been sent with it.
const snapshot = snapshotOf(sets)
const subjects = drawnSets(sets.filter(({ offers }) => offers !== undefined)).map((spec): [string, RateSetSpec] => [
  labelOf(spec),
  spec,
])

/** What is given, or why the request is refused. */
function orRefusal<T>(give: () => T): T | PricingFault {
  try {
    return give()
  } catch (error) {
    if (error instanceof PricingFault) return error
    throw error
  }
}

/** Bodies that the sets tell apart by mass, by seats or by engine. */
const BODIES = ['suv', 'ute', 'people_mover', 'bus', 'motorcycle']

/** Facts that a vehicle is described by, one of which is sent. */
const ofVehicle = (fact: Fact) =>
  fieldOf(fact).startsWith('/vehicleGeneric/') && !['bodyType', 'condition'].includes(fact)

/** The fields of the vehicle that a quote says it took a value for, each with that value. */
const takenIn = ({ metadata }: Quote): [string, unknown][] =>
  metadata.assumptions
    .filter(({ kind, path, assumed }) => kind === 'assumed' && assumed !== null && path.startsWith('/vehicleGeneric/'))
    .map(({ path, assumed }) => [path, assumed])

function* vehiclesOf(spec: RateSetSpec): Generator<QuoteRequest> {
  const imports = sets.filter(
    ({ pricingCode, financialYear }) => spec.imports?.includes(pricingCode) && financialYear === spec.financialYear,
  )
  const specs = [spec, ...imports]
  const kinds = BODIES.flatMap((bodyType) => CONDITIONS.map((condition) => ({ bodyType, condition })))
  const facts = factsNamed(specs).filter(ofVehicle)
  for (const [kind, fact] of kinds.flatMap((one) => facts.map((each) => [one, each] as const))) {
    const vehicle = ofKind(kind, spec)
    for (const value of valuesOf(fact, specs, vehicle)) yield withField(vehicle, fieldOf(fact), value)
  }
}

function ofKind(vehicleGeneric: Vehicle, { pricingCode, financialYear }: RateSetSpec): QuoteRequest {
  const startDate = `${financialYear.slice(5)}-02-10`
  return {
    pricingCode,
    showroomCode: 'TEST01',
    purchaseDate: startDate,
    vehicleGeneric,
    pricingInputs: { dutiable: [{ description: 'vehicle', value: 79_000_00 }] },
    registration: { startDate },
  }
}

test.each(subjects)('%s: no value is assumed that contradicts a fact that was sent', (_name, spec) => {
  const refused: string[] = []
  let assumed = 0
  for (const request of vehiclesOf(spec)) {
    const answer = orRefusal(() => quote(request, snapshot))
    if (answer instanceof PricingFault) continue
    for (const [path, value] of takenIn(answer)) {
      assumed++
      const refusal = orRefusal(() => checkVehicle(withField(request, path, value)))
      if (refusal) refused.push(`${JSON.stringify(request.vehicleGeneric)}: ${refusal.message}`)
    }
  }
  expect(refused).toEqual([])
  expect(assumed).toBeGreaterThan(100)
})
