import { BOOLEAN_FACTS, MONEY_FACTS, NUMBER_FACTS } from '#rates/engine/grammar/facts.ts'
import type { Missing } from '#rates/engine/grammar/rule.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { isImpossible } from './naive-vehicles.ts'
import { holds, type Cause, type Value, type World } from './naive-conditions.ts'
import { rational, type Rational } from './rational.ts'

/** Thrown where the request cannot be priced; the message is the code. */
export class Rejected extends Error {}

export const isMoney = (text: string) => (MONEY_FACTS as readonly string[]).includes(text)
export const dollars = (value: number): Rational => ({ n: BigInt(value), d: 100n })
export const total = (lines: { value: number }[]) => lines.reduce((sum, { value }) => sum + value, 0)

/** Applies the first missing entry that speaks of something needed, whose own condition holds and that the request leaves room for. */
export function suppose(
  causes: Cause[],
  entries: Missing[],
  world: World,
  request: QuoteRequest,
): 'assumed' | 'unpriced' {
  const told = entries.filter((one) => causes.some((cause) => speaksOf(one, cause)))
  const entry = told.find((one) => !contradicts(one, request) && (!one.when || holds(one.when, world).truth === true))
  if (!entry && (told.length > 0 || causes.some(({ unpriced }) => unpriced))) return 'unpriced'
  if (!entry) throw new Error(`nothing is declared for ${JSON.stringify(causes)}`)
  if (entry.reject) throw new Rejected('INVALID_VEHICLE_INPUT')
  if (entry.unpriced !== undefined) return 'unpriced'
  const text = entry.assume!
  if (entry.class !== undefined) world.classes.set(entry.class, text === 'true')
  if (entry.zone !== undefined) world.zones.set(entry.zone, text)
  if (entry.fact !== undefined) world.facts.set(entry.fact, valueOf(entry.fact, text))
  return 'assumed'
}

/** Nobody is taken to have what a request that said so would be refused for. */
function contradicts({ fact, assume }: Missing, request: QuoteRequest): boolean {
  if (fact === undefined || assume === undefined) return false
  const isNumber = (NUMBER_FACTS as readonly string[]).includes(fact)
  const isTruth = (BOOLEAN_FACTS as readonly string[]).includes(fact)
  const value = isNumber ? Number(assume) : isTruth ? assume === 'true' : assume
  return isImpossible({ ...request, vehicleGeneric: { ...request.vehicleGeneric, [fact]: value } })
}

const speaksOf = ({ fact, class: name, zone }: Missing, cause: Cause) =>
  (fact !== undefined && fact === cause.fact) ||
  (zone !== undefined && zone === cause.zone) ||
  (name !== undefined && cause.classes.includes(name))

function valueOf(fact: string, value: unknown): Value {
  if ((BOOLEAN_FACTS as readonly string[]).includes(fact)) return String(value) === 'true'
  const isNumber = (NUMBER_FACTS as readonly string[]).includes(fact) || isMoney(fact)
  return isNumber ? rational(value as string) : String(value)
}

/** The facts of a request, with the defaults of the interface. */
export function known(request: QuoteRequest): Pick<World, 'facts' | 'sent'> {
  const { vehicleGeneric = {}, pricingInputs, registration } = request
  const facts = new Map(defaultsOf(request))
  for (const [fact, value] of Object.entries({ ...vehicleGeneric, gst: pricingInputs.gst }))
    if (value !== undefined) facts.set(fact, valueOf(fact, value))
  if (['BEV', 'FCEV'].includes(vehicleGeneric.fuelType ?? '')) facts.set('co2GPerKm', rational(0))
  const { listPrice, marketValue, lctPreviouslyPaid = request.lctPreviouslyPaid } = pricingInputs
  for (const [fact, value] of Object.entries({ listPrice, marketValue, lctPreviouslyPaid }))
    if (value !== undefined) facts.set(fact, dollars(value))
  if (registration.postcode !== undefined) facts.set('postcode', registration.postcode)
  return { facts, sent: new Set(facts.keys()) }
}

/** A vehicle is registered anew for a year, and is new unless it is transferred; a consumer uses it. */
const defaultsOf = ({ pricingInputs, registration, customer = {} }: QuoteRequest): [string, Value][] => [
  ['condition', registration.type === 'transfer' ? 'used' : 'new'],
  ['registrationType', registration.type ?? 'new'],
  ['termMonths', rational(registration.termMonths ?? 12)],
  ['customerType', customer.customerType ?? 'consumer'],
  ['usageType', customer.usageType ?? 'consumer'],
  ['dutiable', dollars(total(pricingInputs.dutiable))],
]
