import {
  Amount,
  Decimal,
  Dollars,
  Figure,
  IsoDate,
  Measure,
  NAME,
  NonZero,
  Percent,
  Positive,
  PositiveAmount,
  PricingCode,
  Term,
  TermShare,
} from '../engine/grammar/scalar.ts'

const patternOf = (schema: object) => (schema as { pattern?: string }).pattern

const DIGITS = 'of at most nine digits, and six behind the point'

const byPattern = new Map<unknown, string>([
  [patternOf(Decimal), `a decimal number such as "8.40" ${DIGITS}`],
  [patternOf(Positive), `a decimal number above zero ${DIGITS}`],
  [patternOf(NonZero), `a decimal number above or below zero ${DIGITS}`],
  [patternOf(Measure), 'a decimal number, not below zero, of at most nine digits, and three behind the point'],
  [patternOf(Percent), 'a percentage such as "5.5", not below zero'],
  [patternOf(Dollars), 'dollars and cents such as "40000" or "3385.20", of at most nine digits'],
  [patternOf(PositiveAmount), 'an amount above zero: dollars "100", a parameter, or a multiple of one'],
  [patternOf(Amount), 'an amount: dollars "8.40", a parameter AU/LCT_THRESHOLD, or a multiple of one 20.42 FEE_UNIT'],
  [patternOf(Term), 'an amount, a money input such as dutiable, kind:<line kind>, line:<COMPONENT>, alone:<COMPONENT> or basis:<BASIS>'],
  [patternOf(TermShare), 'a fraction such as 1/12, a decimal number or days'],
  [patternOf(IsoDate), 'a date YYYY-MM-DD'],
  [patternOf(PricingCode), 'a pricing code: AU or AU_<STATE>'],
  [`^${NAME}$`, 'a name in capitals such as FEE_UNIT'],
  ['^[A-Za-z][A-Za-z0-9_-]*$', 'a name such as passenger or sro-rates'],
  ['^(none|[0-9]{1,4}/[1-9][0-9]{0,3})$', 'none, or the fraction of the line that is GST such as 1/11'],
  ['^[0-9]{4}(-[0-9]{4})?$', 'a postcode "3000" or a range "3000-3006"'],
  ['^[0-9]{4}$', 'a postcode of four figures'],
  ['^(19|20)[0-9]{2}-(19|20)[0-9]{2}$', 'a financial year such as 2026-2027'],
  ['^https?://', 'an address that starts with https://'],
  [patternOf(Figure), 'dollars and cents "3385.20", none or unpriced'],
])

/** What a schema's pattern stands for, in words; the pattern itself where no words are known. */
export function expectedText(schema: unknown): string {
  const { pattern, description } = (schema ?? {}) as { pattern?: string; description?: string }
  return byPattern.get(pattern) ?? description?.toLowerCase() ?? `text like ${pattern}`
}

const LONGEST_NAME = 63

/** The known word that is one slip of the pen away from a text, if any. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  // No name is longer; the distance of a long text costs its length times that of every known word.
  if (text.length > LONGEST_NAME) return undefined
  const limit = text.length < 4 ? 1 : 2
  const near = known.filter((word) => Math.abs(word.length - text.length) <= limit)
  const ranked = near.map((word) => ({ word, distance: distance(text.toLowerCase(), word.toLowerCase()) }))
  ranked.sort((a, b) => a.distance - b.distance)
  return ranked[0] && ranked[0].distance <= limit ? ranked[0].word : undefined
}

/** Levenshtein's distance: insertions, deletions and replacements of one character. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[b.length]!
}
