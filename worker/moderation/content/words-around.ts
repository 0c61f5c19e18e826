/**
 * The library finds `anal` in Annalise, `fag` in Fagan and `shit` in Harshit. Such a find counts only where the whole word is one of
 * abuse: the find alone, or with one of these beginnings and endings.
 */
const BEFORE = oneOf(
  'ape bat big bull chicken cow crockof dip dog donkey dumb eat eatmy fat half hard holy horse hot jack kiss kissmy lard lick my no pieceof pig rat smart suck suckmy you your',
)
const AFTER = oneOf(
  [
    's es ed er ers ing y ies ier iest iness ish less ly got gots gotry goted gy gier giest ot ots z u it off up you tard tards wit wits',
    'head heads headed face faces faced hole holes hat hats wad wads weed weeds wipe wipes bag bags box boxes bird birds boy boys boi',
    'house houses show storm stain stains load loads heap heaps can cans lord lords post list lists rag rags bucket buckets shot shots pot',
    'ant ants take hag hags old olds star stars hub ography ographic job jobs pic pics clown clowns bandit bandits lover lovers sex burglar burglars weak',
    'dump\\w* fuck\\w* guzzl\\w* kiss\\w* lick\\w* munch\\w* slut\\w* suck\\w*',
  ].join(' '),
)

const formsOf = (stem: string) => new RegExp(`^${BEFORE}{0,3}(?:${stem})${AFTER}?$`)

/** The words of abuse with what the library finds, by the library's name of it. All other finds count in every word. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ...'anal anus arse ass boob cuck cum dick dyke fag kike penis piss semen turd wank'
    .split(' ')
    .map((stem) => [stem, formsOf(stem)] as const),
  ['bollocks', formsOf('bollock')],
  ['chink', formsOf('chink(?:ie)?')],
  ['negro', formsOf('negro(?:id)?')],
  ['bitch', /bitch|^bich(?:es)?$/],
  ['cock', formsOf('cocks?')],
  // The library takes any letter for the vowel, as in `feckless` and `trafficked`.
  ['fuck', new RegExp(`f[^aeio]?ck|^f(?:[aeio]ck|uk?)(?:${AFTER}|i?n)?$|^fk`)],
  ['nigger', /nig|^ng/],
  ['orgy', /^org(?:y|ies)$/],
  ['porn', formsOf('porno?')],
  ['shit', formsOf('shite?')],
  ['rape', formsOf('rape[dr]?|rapiss?t')],
])

/** Words that are spelled like one of abuse with an ending, or that have a find that counts in every other word. */
const HARMLESS_WORDS: ReadonlySet<string> = new Set(
  [
    'annals bollocking booby cumin dicker dickers dickering dickies dicky feckless niggard niggardly niggards pussyfoot pussyfooted pussyfooting',
    'rapped shiitake shiite shiites slutsky',
  ]
    .join(' ')
    .split(' '),
)

/** Names of people that are words of abuse too: with a capital and small letters only. */
const NAMES: ReadonlySet<string> = new Set('Bich Cumming Raper Rapers'.toLowerCase().split(' '))
const CAPITALISED = /^\p{Lu}\p{Ll}+$/u

/** Longer than any name: in a text without spaces, no find looks at all that is around it. */
const LONGEST = 30

/** Whether what was found from `start` to `end` is a part of a harmless word, all letters of which are written as such. */
export function isInHarmlessWord(text: string, start: number, end: number, find: string): boolean {
  const word = wordAround(text, start, end)
  const letters = word.normalize('NFD').replace(/\p{Mn}/gu, '')
  if (!/^[A-Za-z]+$/.test(letters) || letters.length > LONGEST) return false
  const plain = letters.toLowerCase()
  if (HARMLESS_WORDS.has(plain) || (NAMES.has(plain) && CAPITALISED.test(word.normalize('NFC')))) return true
  const forms = FORMS.get(find)
  return forms !== undefined && !forms.test(collapsed(plain))
}

/** At most 40 characters of the word that has what was found, as it stands in the text. */
export function foundIn(text: string, start: number, end: number): string {
  const before = /[\p{L}\p{M}\p{N}'’@$*#!_-]{0,12}$/u.exec(text.slice(Math.max(0, start - 12), start))![0]
  const rest = text.slice(start - before.length, start - before.length + 40).toWellFormed()
  const length = before.length + end - start
  const after = /^[\p{L}\p{M}\p{N}'’@$*#!_-]*/u.exec(rest.slice(length))![0]
  return rest.slice(0, length + after.length).replace(/^['’*#!_-]+|['’!_-]+$/g, '')
}

function wordAround(text: string, start: number, end: number): string {
  const before = /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, start - LONGEST), start))![0]
  const after = /^[\p{L}\p{M}\p{N}]*/u.exec(text.slice(end, end + LONGEST))![0]
  return before + text.slice(start, end) + after
}

/** As the library reads words: it keeps two of some letters in a row, and one of any other. */
const collapsed = (word: string): string => word.replace(/([^beglos])\1+/g, '$1').replace(/([beglos])\1{2,}/g, '$1$1')

function oneOf(words: string): string {
  return `(?:${words.replaceAll(' ', '|')})`
}
