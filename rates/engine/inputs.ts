import { dayOf } from './dates.ts'
import { DATE_FACTS, ENUM_FACTS, NUMBER_FACTS, type EnumFact } from './grammar/facts.ts'
import type { Program } from './program.ts'
import type { QuoteRequest, RequestLine } from './request.ts'
import { codeOf, FACT_INDEX, NO_FACTS, NO_WARNINGS, type Adjustments, type State } from './state.ts'

/** What a request leaves to the API's defaults (DESIGN 6), filled in. */
export interface Terms {
  readonly day: number
  readonly termMonths: number
  readonly registrationType: string
  readonly condition: string
  readonly concession: Adjustments | null
}

const VEHICLE_WORDS = ['bodyType', 'fuelType'] as const
const VEHICLE_NUMBERS = NUMBER_FACTS.filter((fact) => fact !== 'termMonths')

/** All that the rules may ask of a request, by position. */
export function stateOf(request: QuoteRequest, terms: Terms, program: Program): State {
  const facts = NO_FACTS.slice()
  vehicleFacts(request, facts)
  registrationFacts(request, terms, facts)
  moneyFacts(request, facts)
  return {
    facts,
    day: terms.day,
    lines: request.pricingInputs.dutiable,
    cents: new Array<number>(program.slots).fill(0),
    unpriced: new Array<string | undefined>(program.slots).fill(undefined),
    bases: new Array<undefined>(program.bases).fill(undefined),
    concession: terms.concession,
    overlay: null,
    notes: { evidence: 0, warnings: NO_WARNINGS },
    stated: -1,
    trace: request.options?.explain === true ? {} : null,
    messages: { warnings: [], assumptions: [] },
  }
}

function vehicleFacts({ vehicleGeneric: vehicle }: QuoteRequest, facts: number[]): void {
  if (!vehicle) return
  for (const fact of VEHICLE_WORDS) setWord(facts, fact, vehicle[fact])
  for (const fact of VEHICLE_NUMBERS) {
    const value = vehicle[fact]
    if (value !== undefined) facts[FACT_INDEX[fact]] = value
  }
  for (const fact of DATE_FACTS) {
    const value = vehicle[fact]
    if (value !== undefined) facts[FACT_INDEX[fact]] = dayOf(value)
  }
  const { previouslyRegistered, demonstrator } = vehicle
  if (previouslyRegistered !== undefined) facts[FACT_INDEX.previouslyRegistered] = Number(previouslyRegistered)
  if (demonstrator !== undefined) facts[FACT_INDEX.demonstrator] = Number(demonstrator)
}

function registrationFacts({ registration, customer }: QuoteRequest, terms: Terms, facts: number[]): void {
  setWord(facts, 'condition', terms.condition)
  setWord(facts, 'registrationType', terms.registrationType)
  setWord(facts, 'customerType', customer?.customerType ?? ENUM_FACTS.customerType[0])
  setWord(facts, 'usageType', customer?.usageType ?? ENUM_FACTS.usageType[0])
  facts[FACT_INDEX.termMonths] = terms.termMonths
  const { postcode } = registration
  if (postcode !== undefined && /^\d{4}$/.test(postcode)) facts[FACT_INDEX.postcode] = Number(postcode)
}

function moneyFacts({ pricingInputs, lctPreviouslyPaid }: QuoteRequest, facts: number[]): void {
  facts[FACT_INDEX.dutiable] = totalOf(pricingInputs.dutiable)
  facts[FACT_INDEX.listPrice] = pricingInputs.listPrice ?? NaN
  facts[FACT_INDEX.marketValue] = pricingInputs.marketValue ?? NaN
  facts[FACT_INDEX.lctPreviouslyPaid] = pricingInputs.lctPreviouslyPaid ?? lctPreviouslyPaid ?? NaN
}

function setWord(facts: number[], fact: EnumFact, word: string | undefined): void {
  if (word !== undefined) facts[FACT_INDEX[fact]] = codeOf(fact, word)
}

/** Sum of the lines, cents. */
export function totalOf(lines: readonly RequestLine[]): number {
  let total = 0
  for (const { value } of lines) total += value
  return total
}
