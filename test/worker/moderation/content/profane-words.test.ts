import fc from 'fast-check'
import { englishDataset } from 'obscenity'
import { expect, test } from 'vitest'
import { firstByLibrary, firstProfaneWord } from '../../../../worker/moderation/content/profane-words.ts'
import { FURTHER_WORDS, VEHICLE_WORDS } from '../../../../worker/moderation/content/words.ts'
import { EVASIONS, INNOCENT } from './corpus.ts'

const { blacklistedTerms, whitelistedTerms = [] } = englishDataset.build()
/** Each word as its pattern spells it: `.` for any letter, and each optional letter there. */
const SPELLED = blacklistedTerms.map(({ pattern }) =>
  pattern.nodes
    .map((node) => ('childNode' in node ? node.childNode : node))
    .map((node) => ('chars' in node ? String.fromCodePoint(...node.chars) : '.'))
    .join(''),
)
const CORPUS = [...Object.values(INNOCENT), ...Object.values(EVASIONS)].flat()
/** A word that passes, with what makes another of it. */
const JOINED = ['assistslut', '@assist', 'assist-slut', 'cockpitshit', 'my assist. Fu it']
const PLAIN =
  'the car has a new service book and park assist, lane assistance; assembly at the cockpit of an analogue age'.split(
    ' ',
  )

/** Letters that the library reads as others, or leaves as they are. */
const DISGUISES: Record<string, string> = {
  a: '@4äаＡ',
  b: '8ß',
  c: '(ç',
  e: '3éе',
  g: '9ğ',
  i: '1!ïі',
  l: '|ł',
  o: '0öо',
  s: '$5ş',
  t: '7+',
  u: 'üυ',
  x: 'ⅹ',
}
const disguised = (word: string, at: readonly number[]) =>
  [...word].map((letter, index) => [...(DISGUISES[letter] ?? '')][at[index % at.length]!] ?? letter).join('')

const word = fc.oneof(
  { arbitrary: fc.constantFrom(...SPELLED, ...FURTHER_WORDS), weight: 2 },
  { arbitrary: fc.constantFrom(...whitelistedTerms, ...VEHICLE_WORDS), weight: 3 },
  { arbitrary: fc.constantFrom(...PLAIN), weight: 8 },
  fc.constantFrom(...CORPUS),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const changed = fc.oneof(
  { arbitrary: word, weight: 6 },
  fc.tuple(word, fc.array(fc.nat(9), { minLength: 1, maxLength: 6 })).map(([text, at]) => disguised(text, at)),
  word.map((text) => text.toUpperCase()),
  fc
    .tuple(word, fc.nat(5), fc.nat(3))
    .map(([text, at, times]) => text.slice(0, at) + (text[at] ?? '').repeat(times) + text.slice(at)),
)
const gap = fc.constantFrom(' ', ' ', ' ', '', '  ', '.', ', ', '-', '\n', '\u00a0', ' 🚗 ', '\ud83d', '@', '’')
const texts = fc.array(fc.tuple(changed, gap), { maxLength: 12 }).map((parts) => parts.flat().join('').slice(0, 1_000))

const KNOWN = [...CORPUS, ...SPELLED, ...FURTHER_WORDS, ...whitelistedTerms, ...VEHICLE_WORDS, ...JOINED]

test('every text of the corpus, word and pattern has the answer of the library', () => {
  for (const text of KNOWN.flatMap((each) => [each, `An ${each}, fully`])) {
    expect([text, firstProfaneWord(text)]).toEqual([text, firstByLibrary(text)])
  }
})

test('random texts of profane, harmless and disguised words have the answer of the library', () => {
  const found = { profane: 0, clean: 0 }
  const agrees = (text: string) => {
    const expected = firstByLibrary(text)
    found[expected === undefined ? 'clean' : 'profane']++
    expect(firstProfaneWord(text)).toBe(expected)
  }
  fc.assert(fc.property(texts, agrees), { numRuns: 3_000, seed: 20_261_124 })
  expect(found.profane).toBeGreaterThan(300)
  expect(found.clean).toBeGreaterThan(300)
})
