import { FACTS, type Fact } from '../grammar/facts.ts'
import type { Unknown } from '../state.ts'

const PLACES: Partial<Record<Fact, string>> = {
  customerType: '/customer/customerType',
  usageType: '/customer/usageType',
  registrationType: '/registration/type',
  termMonths: '/registration/termMonths',
  postcode: '/registration/postcode',
  dutiable: '/pricingInputs/dutiable',
  gst: '/pricingInputs/gst',
  listPrice: '/pricingInputs/listPrice',
  marketValue: '/pricingInputs/marketValue',
  lctPreviouslyPaid: '/pricingInputs/lctPreviouslyPaid',
}

/** JSON pointer of each fact in a request. */
export const FACT_PATH = Object.freeze(
  Object.fromEntries(FACTS.map((fact) => [fact, PLACES[fact] ?? `/vehicleGeneric/${fact}`])),
) as Record<Fact, string>

/** JSON pointers of the fields that would answer the question. */
export function pathsOf(unknown: Unknown): string[] {
  if (unknown.kind === 'fact') return [FACT_PATH[unknown.fact]]
  if (unknown.kind === 'zone') return [FACT_PATH.postcode]
  if (unknown.kind === 'class') return [...new Set(unknown.facts.flatMap(pathsOf))]
  return []
}
