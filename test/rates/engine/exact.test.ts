import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  compare,
  divide,
  exactOf,
  formatExact,
  fraction,
  multiply,
  parseExact,
  roundTo,
  roundWhole,
  subtract,
  toCents,
  type Exact,
  type RoundMode,
} from '../../../rates/engine/exact.ts'

interface Plain {
  n: bigint
  d: bigint
}
const plain = (x: Exact): Plain => x.big ?? { n: BigInt(x.n), d: BigInt(x.d) }
const same = (x: Exact, n: bigint, d: bigint) => plain(x).n * d === n * plain(x).d

// Small, cents-sized, and close to 2^53, so that both representations and the step between them are met.
const top = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
)
const bottom = fc.oneof(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 1n, max: 2n ** 60n }))
const pair = fc.tuple(top, bottom)

const roundPlain = (n: bigint, d: bigint, mode: RoundMode): bigint => {
  const sign = n < 0n ? -1n : 1n
  const size = n * sign
  const extra = mode === 'down' ? 0n : mode === 'up' ? d - 1n : d
  return sign * (mode === 'halfUp' ? (2n * size + extra) / (2n * d) : (size + extra) / d)
}

test('sum, difference, product, quotient and order are those of BigInt fractions', () => {
  fc.assert(
    fc.property(pair, pair, ([an, ad], [bn, bd]) => {
      const a = fraction(an, ad)
      const b = fraction(bn, bd)
      expect(same(add(a, b), an * bd + bn * ad, ad * bd)).toBe(true)
      expect(same(subtract(a, b), an * bd - bn * ad, ad * bd)).toBe(true)
      expect(same(multiply(a, b), an * bn, ad * bd)).toBe(true)
      if (bn !== 0n)
        expect(same(divide(a, b), an * bd * (bn < 0n ? -1n : 1n), ad * bn * (bn < 0n ? -1n : 1n))).toBe(true)
      const left = an * bd - bn * ad
      expect(Math.sign(compare(a, b))).toBe(left > 0n ? 1 : left < 0n ? -1 : 0)
    }),
  )
})

test('rounding is that of BigInt fractions in every mode, ties away from zero', () => {
  fc.assert(
    fc.property(pair, pair, fc.constantFrom<RoundMode>('halfUp', 'up', 'down'), ([n, d], [tn, td], mode) => {
      const to = tn === 0n ? 1n : tn < 0n ? -tn : tn
      expect(same(roundWhole(fraction(n, d), mode), roundPlain(n, d, mode), 1n)).toBe(true)
      expect(same(roundTo(fraction(n, d), fraction(to, td), mode), roundPlain(n * td, d * to, mode) * to, td)).toBe(
        true,
      )
    }),
  )
})

test('a chain of steps stays exact when it leaves the safe integers and comes back', () => {
  const large = multiply(fraction(2n ** 53n - 1n, 1n), fraction(2n ** 53n - 1n, 7n))
  expect(large.big).not.toBeNull()
  const back = divide(large, fraction(2n ** 53n - 1n, 7n))
  expect(back).toEqual({ n: 2 ** 53 - 1, d: 1, big: null })
})

test('decimals and fractions are read without binary rounding', () => {
  expect(same(parseExact('8.40'), 84n, 10n)).toBe(true)
  expect(same(parseExact('-0.05'), -5n, 100n)).toBe(true)
  expect(same(parseExact('10/121'), 10n, 121n)).toBe(true)
  expect(same(exactOf(6.9), 69n, 10n)).toBe(true)
  expect(same(exactOf(1.5e-7), 15n, 10n ** 8n)).toBe(true)
  expect(() => parseExact('1e3')).toThrow(RangeError)
})

test('half a cent goes up, and a credit mirrors a charge', () => {
  expect(toCents(parseExact('0.5'))).toBe(1)
  expect(toCents(parseExact('-0.5'))).toBe(-1)
  expect(toCents(parseExact('1.4999'))).toBe(1)
})

test('a number is written as a decimal where it has one', () => {
  expect(formatExact(parseExact('352.6534'))).toBe('352.6534')
  expect(formatExact(parseExact('-1/3'))).toBe('-1/3')
  expect(formatExact(parseExact('42'))).toBe('42')
})
