import { DataSet, englishDataset, englishRecommendedTransformers, parseRawPattern, RegExpMatcher } from 'obscenity'
import { createScreen } from './profanity-screen.ts'
import { foundIn, isInHarmlessWord } from './words-around.ts'
import { FURTHER_WORDS, VEHICLE_WORDS } from './words.ts'

const words = new DataSet<{ originalWord: string }>().addAll(englishDataset)
for (const word of FURTHER_WORDS) {
  // As the library reads words: it keeps two of these letters in a row, and one of any other.
  const read = word.replace(/([^beglos])\1+/g, '$1')
  words.addPhrase((phrase) => phrase.setMetadata({ originalWord: word }).addPattern(parseRawPattern(`|${read}[s]|`)))
}
const { blacklistedTerms, whitelistedTerms } = words.build()
const matcher = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...(whitelistedTerms ?? []), ...VEHICLE_WORDS],
  ...englishRecommendedTransformers,
})
const mayHaveOne = createScreen(blacklistedTerms, englishRecommendedTransformers.blacklistMatcherTransformers!)

/** Words in which the library finds a profane word and then allows it; half of all dealers' texts contain one. */
const HARMLESS =
  /(?<!\S)(?:assist(?:s|ed|ing|ance)?|assembl(?:y|ed)|assess(?:ed|ment)?|asset|assur(?:ed|ance)|associat(?:ed|ion)|analog(?:ue)?|cockpit)(?![^\s.,;])/gi

/** Whether a text of at most 1,000 characters may have a profane word. False only when it has none. */
export const mayBeProfane = (text: string): boolean => mayHaveOne(text) && mayHaveOne(text.replace(HARMLESS, ''))

/** The first profane word in a text of at most 1,000 characters, as it stands there; undefined when there is none. */
export const firstProfaneWord = (text: string): string | undefined =>
  mayBeProfane(text) ? firstByLibrary(text) : undefined

/** The answer of the library, which takes a thousand times as long as a text without candidates. */
export function firstByLibrary(text: string): string | undefined {
  for (const match of matcher.getAllMatches(text, true)) {
    const find = words.getPayloadWithPhraseMetadata(match).phraseMetadata!.originalWord
    const [start, end] = [match.startIndex, match.endIndex + 1]
    if (!isInHarmlessWord(text, start, end, find)) return foundIn(text, start, end)
  }
  return undefined
}

/** Whether letters that stand alone, `f u c k`, spell a profane word; nobody spells a name so. */
export const isProfaneSpelled = (letters: string): boolean => mayHaveOne(letters) && matcher.hasMatch(letters)
