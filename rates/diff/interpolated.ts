import { add, compare, divide, formatExact, multiply, parseExact, roundTo, subtract, whole } from '../engine/exact.ts'
import type { Interpolate } from '../engine/grammar/charge.ts'
import { rounded, type Charging } from './as-charged.ts'
import { interpolatedOn } from './charge-on.ts'
import { risingRounded, risingWords } from './rate-words.ts'
import type { Sample } from './said.ts'

/** Amounts between the ends for which the charge is computed. */
const SAMPLES = 10

/** The ends, in cents, when the charge has none: $0 and $100,000. */
const ENDS: readonly [string, string] = ['0', '10000000']

/** What a statement of a rate that rises with the amount says besides its words. */
export const risingOf = (spec: Interpolate, upTo: string | undefined, charging: Charging) => ({
  samples: interpolated(spec, upTo, charging),
  rising: { rate: risingWords(spec, charging.resolver.amount), rounded: risingRounded(spec) },
})

/**
 * The charge of a rate that rises with the amount, for some amounts: nobody sees in the terms of the rate what another
 * rounding of the percentage makes of a price.
 */
function interpolated(spec: Interpolate, upTo: string | undefined, charging: Charging): Sample[] {
  const { resolver, charge } = charging
  const above = parseExact(resolver.cents(spec.above) ?? ENDS[0])
  const end = upTo === undefined ? undefined : resolver.cents(upTo)
  const last = end === undefined ? add(above, parseExact(ENDS[1])) : parseExact(end)
  const step = roundTo(divide(subtract(last, above), whole(SAMPLES)), whole(100), 'down')
  if (compare(step, whole(0)) <= 0) return []
  return Array.from({ length: SAMPLES }, (_, at) => {
    const of = add(above, multiply(step, whole(at + 1)))
    const line = roundTo(rounded(interpolatedOn(of, spec, resolver), charge.round), whole(1), 'halfUp')
    return { of: Number(formatExact(of)), cents: Number(formatExact(line)) }
  })
}
