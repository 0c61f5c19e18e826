import { withoutNames } from './names-in-texts.ts'
import { firstProfaneWord, isProfaneSpelled, mayBeProfane } from './profane-words.ts'

/**
 * The time of the library grows with the square of the length: 6 seconds for 200 KB at once, 60 ms in pieces of this
 * size.
 */
const PIECE = 1_000
const OVERLAP = 40

/** The first profane word in a plain text, as it stands there, in at most 40 characters; undefined when there is none. */
export function findProfanity(text: string): string | undefined {
  const disguised = MASKED.exec(text)?.[0] ?? SPLIT.exec(text)?.[0] ?? firstSpelled(text)
  if (disguised !== undefined) return disguised
  const words = withoutNumbers(text)
  // Names are looked for only in a text that may need them, and in the whole of it: a piece may end within one.
  for (const piece of pieces(words)) if (mayBeProfane(piece)) return firstIn(withoutNames(words))
  return undefined
}

function firstIn(text: string): string | undefined {
  for (const piece of pieces(text)) {
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

/** A text with dots in place of what only looks like words. */
function withoutNumbers(text: string): string {
  const dots = (name: string) => '.'.repeat(name.length)
  return text.replace(VIN, dots).replace(MODEL_NAMES, dots)
}

/**
 * Words with a masked vowel. The library recognizes `f*ck`, but reads `sh*t` as `sht`, which may be a sheet, and `pr0n` as
 * `pron`, which may be a pronunciation. White power may also be that of the windows.
 */
const MASKED =
  /(?<![\p{L}\p{N}])(?:(?:bull|horse|dip|dog|bat)?sh[*#@]t|s[*#]{2}t|c[*#@]nt|c[*#]{2}t|f[*#]{2}k|b[*#]tch|d[*#]ck|p[*#]ssy|sl[*#@]t|wh[*#]re|a[*#]{2}hole|f\*{3}|n[*#]gg(?:er|a)|n[i1]99[e3]r|pr0n|white\spower(?=\s{0,3}(?:[.!?]|$|(?:forever|movement|rules)(?!\p{L}))))(?:s|y|ty|ing|er|ers)?(?![\p{L}\p{N}])/iu

/** Words in pieces. A `sh it` is a slip, `the S hit 200` a car, and `Cu NT` two abbreviations. */
const IN_PIECES = ['(?!fuck)f-?u-?c-?k', '(?!cunt|cu-nt)c-?u-?n-?t', 'sh-i-t', 's-h-?i-t', 's-h-it'].join('|')
/** Matches `fuc k` and `sh i t`. */
const SPLIT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${IN_PIECES.replaceAll('-', '[ ._*-]')})(?:s|er|ers|ed|ing)?(?![\\p{L}\\p{N}])`,
  'iu',
)

/** Four or more single letters, `l i k e` or `t.h.i.s`. */
const SPELLED = /(?<!\p{L})\p{L}(?:[ ._*-]\p{L}){3,20}(?!\p{L})/gu

function firstSpelled(text: string): string | undefined {
  for (const [letters] of text.matchAll(SPELLED))
    if (isProfaneSpelled(letters.replace(/[ ._*-]/g, ''))) return letters.slice(0, 40)
  return undefined
}

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
