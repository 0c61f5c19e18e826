import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENDS, firstByLibrary, firstLink } from '../../../../worker/moderation/content/links.ts'
import { EVASIONS, INNOCENT } from './corpus.ts'

const CORPUS = [...Object.values(INNOCENT), ...Object.values(EVASIONS)].flat()
const NAMES = [
  'joe',
  'joesautos',
  'xn--bcher-kva',
  'www',
  'localhost',
  '10',
  '127.0.0.1',
  'Bücher',
  'one/two',
  'a_b',
  '[::1]',
]
const SIGNS = [
  '@',
  '.',
  '..',
  ':',
  '://',
  '//',
  '/',
  ' ',
  ' ',
  '-',
  'http:',
  'HTTPS://',
  'ftp://',
  'mailto:',
  'MailTo:',
  '\u3002',
  '．',
  '＠',
]
const part = fc.oneof(
  { arbitrary: fc.constantFrom(...NAMES), weight: 3 },
  { arbitrary: fc.constantFrom(...SIGNS), weight: 5 },
  { arbitrary: fc.constantFrom(...ENDS, ...ENDS.map((end) => end.toUpperCase()), 'it', 'xn--p1ai', 'рф'), weight: 2 },
  fc.constantFrom(...CORPUS),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('random texts of names, ends and signs have the links of the library', () => {
  let links = 0
  const agrees = (parts: readonly string[]) => {
    const text = parts.join('')
    const expected = firstByLibrary(text)
    if (expected) links++
    expect(firstLink(text)).toEqual(expected)
  }
  fc.assert(fc.property(fc.array(part, { maxLength: 10 }), agrees), { numRuns: 20_000, seed: 20_261_124 })
  expect(links).toBeGreaterThan(1_000)
})
