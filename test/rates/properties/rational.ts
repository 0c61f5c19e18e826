/** An exact number as a pair, never in lowest terms: slow, and plain to see through. */
export interface Rational {
  n: bigint
  d: bigint
}

export const rational = (text: string | number): Rational => {
  const [head = '', divisor] = String(text).split('/')
  if (divisor !== undefined) return { n: BigInt(head), d: BigInt(divisor) }
  const [whole = '', places = ''] = head.split('.')
  return { n: BigInt(whole + places), d: 10n ** BigInt(places.length) }
}
export const NIL: Rational = { n: 0n, d: 1n }
export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
export const minus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d })
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d })
export const over = (a: Rational, b: Rational): Rational =>
  b.n > 0n ? { n: a.n * b.d, d: a.d * b.n } : { n: -a.n * b.d, d: a.d * -b.n }
export const greater = (a: Rational, b: Rational) => a.n * b.d > b.n * a.d
export const largest = (all: Rational[]): Rational => all.reduce((best, one) => (greater(one, best) ? one : best))
export const smallest = (all: Rational[]): Rational => all.reduce((best, one) => (greater(best, one) ? one : best))
export const notBelowNil = (a: Rational): Rational => largest([NIL, a])

const floor = ({ n, d }: Rational): bigint => (n >= 0n || n % d === 0n ? n / d : n / d - 1n)

/** A whole number: towards plus infinity, minus infinity, or the nearest one. */
export function integer(a: Rational, mode: 'up' | 'down' | 'halfUp'): bigint {
  if (mode === 'down') return floor(a)
  if (mode === 'up') return -floor({ n: -a.n, d: a.d })
  return floor(plus(a, { n: 1n, d: 2n }))
}

export const roundedTo = (a: Rational, to: Rational, mode: 'up' | 'down' | 'halfUp'): Rational =>
  times({ n: integer(over(a, to), mode), d: 1n }, to)

export const cents = (a: Rational): number => Number(integer(times(a, rational(100)), 'halfUp'))
