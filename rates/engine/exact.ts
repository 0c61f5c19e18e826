/**
 * Exact rational numbers. Numerator and denominator are safe integers while they fit, and BigInt when a product would
 * exceed 2^53; the value is the same either way. Money is in cents.
 */
export interface Exact {
  readonly n: number
  /** The denominator, above zero. */
  readonly d: number
  /** Set when `n` and `d` do not fit into safe integers; `n` and `d` are then unused. */
  readonly big: Big | null
}

interface Big {
  readonly n: bigint
  readonly d: bigint
}

export type RoundMode = 'halfUp' | 'up' | 'down'

const SAFE = Number.MAX_SAFE_INTEGER

/** A whole number; `n` must be a safe integer. */
export const whole = (n: number): Exact => ({ n, d: 1, big: null })

export const ZERO = whole(0)
export const ONE = whole(1)

/** The fraction `n / d` in lowest terms. */
export function fraction(n: bigint, d: bigint): Exact {
  if (d === 0n) throw new RangeError('division by zero')
  const by = gcd(n < 0n ? -n : n, d < 0n ? -d : d) * (d < 0n ? -1n : 1n)
  const top = n / by
  const bottom = d / by
  const fits = top <= SAFE && top >= -SAFE && bottom <= SAFE
  return fits ? { n: Number(top), d: Number(bottom), big: null } : { n: 0, d: 1, big: { n: top, d: bottom } }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? 1n : a
}

const wide = (x: Exact): Big => x.big ?? { n: BigInt(x.n), d: BigInt(x.d) }

/** Parses `-12.345` or `10/121`; throws RangeError on anything else. */
export function parseExact(text: string): Exact {
  const match = /^(-?\d+)(?:\.(\d+)|\/(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`${JSON.stringify(text)} is not a decimal or a fraction`)
  const [, head = '', places, divisor] = match
  if (divisor !== undefined) return fraction(BigInt(head), BigInt(divisor))
  return fraction(BigInt(head + (places ?? '')), 10n ** BigInt(places?.length ?? 0))
}

/**
 * Converts a number by its shortest decimal form, which is the form that was sent: 6.9 becomes 69/10 and not its binary
 * neighbour.
 */
export function exactOf(value: number): Exact {
  if (Number.isSafeInteger(value)) return whole(value)
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const parsed = parseExact(digits)
  const power = Number(exponent)
  const scale = fraction(10n ** BigInt(Math.abs(power)), 1n)
  return power < 0 ? divide(parsed, scale) : multiply(parsed, scale)
}

// Testing after the operation is sound: a product or sum beyond 2^53 rounds to a number that is not a safe integer.
const safe = (n: number, d: number) => n <= SAFE && n >= -SAFE && d <= SAFE

export function add(a: Exact, b: Exact): Exact {
  if (a.big === null && b.big === null) {
    if (a.d === b.d) {
      const n = a.n + b.n
      if (safe(n, a.d)) return { n, d: a.d, big: null }
    } else {
      const left = a.n * b.d
      const right = b.n * a.d
      const d = a.d * b.d
      if (safe(left, d) && safe(right, d) && safe(left + right, d)) return { n: left + right, d, big: null }
    }
  }
  const x = wide(a)
  const y = wide(b)
  return fraction(x.n * y.d + y.n * x.d, x.d * y.d)
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, negate(b))
}

export function negate(a: Exact): Exact {
  return a.big === null ? { n: 0 - a.n, d: a.d, big: null } : { n: 0, d: 1, big: { n: -a.big.n, d: a.big.d } }
}

export function multiply(a: Exact, b: Exact): Exact {
  if (a.big === null && b.big === null) {
    const n = a.n * b.n
    const d = a.d * b.d
    if (safe(n, d)) return { n: n + 0, d, big: null }
  }
  const x = wide(a)
  const y = wide(b)
  return fraction(x.n * y.n, x.d * y.d)
}

/** Throws RangeError when `b` is zero. */
export function divide(a: Exact, b: Exact): Exact {
  if (b.big === null && b.n !== 0) {
    return multiply(a, b.n > 0 ? { n: b.d, d: b.n, big: null } : { n: -b.d, d: -b.n, big: null })
  }
  const y = wide(b)
  return multiply(a, fraction(y.d, y.n))
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compare(a: Exact, b: Exact): number {
  if (a.big === null && b.big === null) {
    if (a.d === b.d) return a.n - b.n
    const left = a.n * b.d
    const right = b.n * a.d
    if (safe(left, 1) && safe(right, 1)) return left - right
  }
  const x = wide(a)
  const y = wide(b)
  const difference = x.n * y.d - y.n * x.d
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** The nearest whole number: `halfUp` rounds ties away from zero, `up` rounds away from zero, `down` towards zero. */
export function roundWhole(x: Exact, mode: RoundMode): Exact {
  if (x.big !== null) return fraction(roundBig(x.big, mode), 1n)
  if (x.d === 1) return x
  const rest = x.n % x.d
  const quotient = (x.n - rest) / x.d
  if (rest === 0 || mode === 'down') return whole(quotient)
  // `rest` and `d - rest` are safe integers even when `2 * rest` is not.
  const size = rest < 0 ? -rest : rest
  if (mode === 'halfUp' && size < x.d - size) return whole(quotient)
  return whole(rest < 0 ? quotient - 1 : quotient + 1)
}

function roundBig(x: Big, mode: RoundMode): bigint {
  const rest = x.n % x.d
  const quotient = x.n / x.d
  if (rest === 0n || mode === 'down') return quotient
  const size = rest < 0n ? -rest : rest
  if (mode === 'halfUp' && 2n * size < x.d) return quotient
  return rest < 0n ? quotient - 1n : quotient + 1n
}

/** The nearest multiple of `to`, which must be above zero. Every rounding of an amount happens here. */
export function roundTo(x: Exact, to: Exact, mode: RoundMode): Exact {
  return multiply(roundWhole(divide(x, to), mode), to)
}

/** Rounds half up to whole cents; throws RangeError beyond 2^53. */
export function toCents(x: Exact): number {
  const rounded = roundWhole(x, 'halfUp')
  if (rounded.big !== null) throw new RangeError('an amount passes 2^53 cents')
  return rounded.n
}

/** Formats as an exact decimal if there is one, otherwise as `n/d`. */
export function formatExact(x: Exact): string {
  if (x.big === null && x.n % x.d === 0) return String(x.n / x.d)
  const { n, d } = wide(x)
  const lowest = wide(fraction(n, d))
  for (let places = 0, scale = 1n; places <= 12; places++, scale *= 10n) {
    if (scale % lowest.d === 0n) return formatDecimal((lowest.n * scale) / lowest.d, places)
  }
  return `${lowest.n}/${lowest.d}`
}

function formatDecimal(digits: bigint, places: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const head = text.slice(0, text.length - places)
  return (digits < 0n ? '-' : '') + head + (places ? `.${text.slice(-places)}` : '')
}
