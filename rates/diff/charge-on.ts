import {
  add,
  compare,
  divide,
  fraction,
  multiply,
  parseExact,
  roundTo,
  subtract,
  whole,
  ZERO,
  type Exact,
} from '../engine/exact.ts'
import type { Band, Charge, Interpolate, Whole } from '../engine/grammar/charge.ts'
import type { Resolver } from './amounts.ts'
import { rounded } from './as-charged.ts'

const HUNDRED = whole(100)

/**
 * Whole cents of the line of a charge on an amount of cents; undefined when the charge is not on an amount, or when a
 * line determines it. What an input of the request takes off is left out, as when it is not sent.
 */
export function chargeOn(amount: Exact, charge: Charge, resolver: Resolver): Exact | undefined {
  const form = formOn(amount, charge, resolver)
  const { less = [], atLeast, atMost, round } = charge
  const cents = (text: string) => exactCents(text, resolver)
  const off = less.filter((one) => !one.startsWith('basis:')).map(cents)
  if (form === undefined || off.some((one) => one === undefined)) return undefined
  const left = off.reduce<Exact>((sum, one) => subtract(sum, one!), form)
  const [least, most] = [atLeast, atMost].map((one) => (one === undefined ? undefined : cents(one)))
  const raised = least && compare(left, least) < 0 ? least : left
  const limited = most && compare(raised, most) > 0 ? most : raised
  return roundTo(rounded(limited, round), whole(1), 'halfUp')
}

const exactCents = (text: string, { cents }: Resolver): Exact | undefined => {
  const found = cents(text)
  return found === undefined ? undefined : parseExact(found)
}

function formOn(amount: Exact, { flat, whole: rate, bands, interpolate }: Charge, resolver: Resolver) {
  if (flat !== undefined) return exactCents(flat, resolver)
  if (rate) return rateOn(amount, rate, resolver)
  if (interpolate) return interpolatedOn(amount, interpolate, resolver)
  return bands && bandOn(amount, bands, resolver)
}

/** The band of an amount, and the amount above which it begins. */
export function bandAt(amount: Exact, bands: readonly Band[], resolver: Resolver): { band: Band; above: Exact } | undefined {
  let above = ZERO
  for (const band of bands) {
    const upTo = band.upTo === undefined ? undefined : exactCents(band.upTo, resolver)
    if (upTo === undefined || compare(amount, upTo) <= 0) return { band, above }
    above = upTo
  }
  return undefined
}

function bandOn(amount: Exact, bands: readonly Band[], resolver: Resolver): Exact | undefined {
  const { band, above = ZERO } = bandAt(amount, bands, resolver) ?? {}
  if (!band?.excess) return band && formOn(amount, band, resolver)
  const excess = rateOn(subtract(amount, above), band.excess, resolver)
  const plus = band.excess.plus === undefined ? ZERO : exactCents(band.excess.plus, resolver)
  return excess && plus && add(excess, plus)
}

function rateOn(amount: Exact, { rate = '', per = '', percent }: Whole, resolver: Resolver): Exact | undefined {
  if (percent !== undefined) return divide(multiply(amount, parseExact(percent)), HUNDRED)
  const [each, unit] = [exactCents(rate, resolver), exactCents(per, resolver)]
  return each && unit && multiply(roundTo(divide(amount, unit), whole(1), 'up'), each)
}

/** The charge of a rate that rises with the amount, unrounded. */
export function interpolatedOn(amount: Exact, spec: Interpolate, resolver: Resolver): Exact {
  const { percent, divisor, decimals, mode = 'halfUp' } = spec
  const above = exactCents(spec.above, resolver) ?? ZERO
  const rise = divide(divide(subtract(amount, above), HUNDRED), parseExact(divisor))
  const rate = roundTo(add(parseExact(percent), rise), fraction(1n, 10n ** BigInt(decimals)), mode)
  return divide(multiply(amount, rate), HUNDRED)
}
