import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactly, withoutSpace } from '../../inventory/exact-json.ts'

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`))
const whole = fc.oneof(digits(25).map((text) => text.replace(/^0+(?=\d)/, '')), fc.constantFrom('0', '1', '10'))
const fraction = fc.oneof(digits(25), digits(3), fc.constant('0000000')).map((text) => `.${text}`)
const exponent = fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(2)).map((all) => all.join(''))
const optional = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), part)

/** A number in any form that RFC 8259 allows. */
const number = fc
  .tuple(fc.constantFrom('', '-'), whole, optional(fraction), optional(exponent))
  .map((parts) => parts.join(''))
const space = fc.constantFrom('', ' ', '\n', '\t\r ')

test('every number is written as it was read, whatever its form and whatever stands around it', () => {
  fc.assert(
    fc.property(number, space, number, fc.string(), (first, gap, second, text) => {
      const about = JSON.stringify(text)
      const compact = `{"a":[${first},${second},{"b":${first}}],${JSON.stringify(`k${text}`)}:${about},"c":${second}}`
      const spaced = `{"a":[${gap}${first}${gap},${second},{"b":${gap}${first}}],${JSON.stringify(`k${text}`)}:${gap}${about},"c":${second}${gap}}`
      expect(JSON.stringify(parseExactly(spaced))).toBe(compact)
      expect(withoutSpace(spaced)).toBe(compact)
    }),
    { numRuns: 5_000 },
  )
})

test('space in a string stays, also behind an escaped quote', () => {
  const text = String.raw`{"a b":"c \" d\\","e":"\\" , "f\"" : " g "}`
  expect(withoutSpace(text)).toBe(String.raw`{"a b":"c \" d\\","e":"\\","f\"":" g "}`)
})
