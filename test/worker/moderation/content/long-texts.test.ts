import fc from 'fast-check'
import { LinkifyIt } from 'linkify-it'
import { afterEach, expect, test, vi } from 'vitest'
import { findProfanity } from '../../../../worker/moderation/content/profanity.ts'
import { firstByLibrary, firstLink } from '../../../../worker/moderation/content/links.ts'

afterEach(() => vi.restoreAllMocks())

/** Characters that the library for links reads while a text is searched. */
function readByLibrary(text: string): number {
  const match = vi.spyOn(LinkifyIt.prototype, 'match')
  firstLink(text)
  const read = match.mock.calls.reduce((sum, [part]) => sum + part.length, 0)
  vi.restoreAllMocks()
  return read
}

test('the library for links reads only what may have a link', () => {
  expect(readByLibrary('on=Motors.com+'.repeat(1_000))).toBe(0)
  const words = 'a good car '.repeat(1_000)
  expect(readByLibrary(`${words}great car.Net price ${words}`)).toBeLessThan(1_000)
})

const PARTS = [
  'joe',
  '@',
  '.',
  '..',
  ':',
  '//',
  '/',
  'http:',
  'www',
  '.com',
  '.Net',
  '.AU',
  'KMS.NET price',
  'car.AU new',
]
const SIGNS = [' ', '  ', '\n', '\u00a0', '\u0000', '(', ')', '"', "'", '-', '=', '+', '>', '!', '😀', '\ud800', '。']
const part = fc.constantFrom(...PARTS, ...SIGNS, ...SIGNS)

test('a long text has the first link of the library, wherever it is', () => {
  let links = 0
  const agrees = (words: number, cut: number, parts: readonly string[]) => {
    const text = 'so good '.repeat(words).slice(cut) + parts.join('')
    const expected = firstByLibrary(text)
    if (expected) links++
    expect(firstLink(text)).toEqual(expected)
  }
  const parts = fc.array(part, { minLength: 1, maxLength: 20 })
  fc.assert(fc.property(fc.nat(130), fc.nat(8), parts, agrees), { numRuns: 5_000, seed: 20_261_130 })
  expect(links).toBeGreaterThan(300)
})

test('a piece of a text without spaces is not looked for in all that is before it', () => {
  const read: number[] = []
  const { lastIndexOf } = String.prototype
  vi.spyOn(String.prototype, 'lastIndexOf').mockImplementation(function (this: string, ...args) {
    read.push(this.length)
    return lastIndexOf.apply(this, args)
  })
  const found = findProfanity(`${'а'.repeat(100_000)}fuck`)
  vi.restoreAllMocks()
  expect(found).toMatch(/fuck$/)
  expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(300_000)
})
