import { firstProfaneWord } from './profane-words.ts'

/**
 * The time of the library grows with the square of the length: 6 seconds for 200 KB at once, 60 ms in pieces of this
 * size.
 */
const PIECE = 1_000
const OVERLAP = 40

/** The first profane word in a plain text, as the library names it; undefined when there is none. */
export function findProfanity(text: string): string | undefined {
  const masked = MASKED.exec(text)?.[0]
  if (masked !== undefined) return masked
  for (const piece of pieces(joined(withoutNames(text)))) {
    const word = firstProfaneWord(piece)
    if (word !== undefined) return word
  }
  return undefined
}

/**
 * Matches the number of a vehicle (ISO 3779), such as `4S5HAPX6145258814`: seventeen capitals and digits without I, O
 * and Q, the last four of which are digits, and letters and digits before them.
 */
const VIN = /(?<![\p{L}\p{N}])(?=\d{0,12}[A-Z])(?=[A-Z]{0,12}\d)[A-HJ-NPR-Z\d]{13}\d{4}(?![\p{L}\p{N}])/gu

/**
 * Matches `FK8`, `A55` and `455`: digits at one end are a model or a measure, which the library would read as letters.
 */
const MODEL_NAMES = /(?<![\p{L}\p{N}])(?:\p{L}{0,3}\p{N}+|\p{N}+\p{L}{0,2})(?![\p{L}\p{N}])/gu

/** Matches `Dick’s Automotive` and `Dick Smith`: a first name followed by a capitalised word. */
const FIRST_NAME = /(?<![\p{L}\p{N}])Dick(?:['’]s)?(?=\s(?:&\s)?\p{Lu}\p{Ll})/gu

const SHIFTS = '(?:runs|works|drives|shifts|changes)'
const IS = "(?:['’]s|\\s(?:is|was|feels))(?:\\s(?:shifting|running|working))?"
const VERY = '(?:(?:very|really|super|so|still|nice(?:\\sand|\\s&)?)\\s)?'
const SMOOTH = '(?:smooth|seamless|flawless)(?:ly)?(?![\\p{L}\\p{N}-]|\\s(?:talk|operator|skin|legs?))'
/**
 * Matches the gearbox in `Tranny is smooth` and `the tranny works well`, of which no list has every phrase. `A tranny` is a
 * person, and so may be a tranny that is only good.
 */
const GEARBOX = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?<!(?<![\\p{L}\\p{N}])an?\\s)tranny(?=(?:${IS}|\\s${SHIFTS})\\s${VERY}${SMOOTH}`,
    `|\\s${SHIFTS}\\s(?:well|great|fine|perfect(?:ly)?|nicely)(?!\\p{L})`,
    `|\\sis\\sin\\s(?:good|great|excellent|perfect)\\s(?:condition|order|nick)(?!\\p{L}))`,
  ].join(''),
  'giu',
)

/** A text with dots in place of what only looks like words. */
function withoutNames(text: string): string {
  const dots = (name: string) => '.'.repeat(name.length)
  return text.replace(VIN, dots).replace(MODEL_NAMES, dots).replace(FIRST_NAME, dots).replace(GEARBOX, dots)
}

/** Words with a masked vowel. The library recognizes `f*ck`, but reads `sh*t` as `sht`, which may be a sheet. */
const MASKED =
  /(?<![\p{L}\p{N}])(?:sh[*#@]t|s[*#]{2}t|c[*#@]nt|c[*#]{2}t|f[*#]{2}k|b[*#]tch|d[*#]ck|p[*#]ssy|wh[*#]re|f\*{3}|n[i1]99[e3]r)(?:s|y|ty|ing|er|ers)?(?![\p{L}\p{N}])/iu

/** Joins four or more single letters, `l i k e` or `t.h.i.s`, to the word that they spell. */
const SPELLED = /(?<!\p{L})\p{L}(?:[ ._*-]\p{L}){3,20}(?!\p{L})/gu
const joined = (text: string): string => text.replace(SPELLED, (letters) => letters.replace(/[ ._*-]/g, ''))

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = Math.min(text.length, start + PIECE)
    // In the piece alone: in a text without spaces, each piece would search all that is before it.
    const space = end < text.length ? start + text.slice(start, end + 1).lastIndexOf(' ') : end
    const cut = space > start + OVERLAP ? space : end
    yield text.slice(start, cut)
    // A word cut in two is complete in the next piece, unless it is longer than any word.
    start = cut === space ? cut : cut - OVERLAP
  }
}
