import { Amount, Decimal, Fraction, IsoDate, NAME, PricingCode, Term } from '../engine/grammar/scalar.ts'

const patternOf = (schema: object) => (schema as { pattern?: string }).pattern

const byPattern = new Map<unknown, string>([
  [patternOf(Decimal), 'a decimal number such as "8.40"'],
  [patternOf(Amount), 'an amount: dollars "8.40", a parameter AU/LCT_THRESHOLD, or a multiple of one 20.42 FEE_UNIT'],
  [patternOf(Term), 'an amount, a money input such as dutiable, kind:<line kind>, line:<COMPONENT> or basis:<BASIS>'],
  [patternOf(Fraction), 'a fraction such as 1/12 or a decimal number'],
  [patternOf(IsoDate), 'a date YYYY-MM-DD'],
  [patternOf(PricingCode), 'a pricing code: AU or AU_<STATE>'],
  [`^${NAME}$`, 'a name in capitals such as FEE_UNIT'],
  ['^[A-Za-z][A-Za-z0-9_-]*$', 'a name such as passenger or sro-rates'],
  ['^(none|[0-9]+/[1-9][0-9]*)$', 'none, or the fraction of the line that is GST such as 1/11'],
  ['^[0-9]{4}(-[0-9]{4})?$', 'a postcode "3000" or a range "3000-3006"'],
  ['^[0-9]{4}$', 'a postcode of four figures'],
  ['^[0-9]{4}-[0-9]{4}$', 'a financial year such as 2026-2027'],
  ['^https?://', 'an address that starts with https://'],
  ['^(-?[0-9]+(\\.[0-9]{1,2})?|none|unpriced)$', 'dollars and cents "3385.20", none or unpriced'],
])

/** What a schema's pattern stands for, in words; the pattern itself where no words are known. */
export function expectedText(schema: unknown): string {
  const { pattern, description } = (schema ?? {}) as { pattern?: string; description?: string }
  return byPattern.get(pattern) ?? description?.toLowerCase() ?? `text like ${pattern}`
}

/** The known word that is one slip of the pen away from a text, if any. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  const limit = text.length < 4 ? 1 : 2
  const ranked = known.map((word) => ({ word, distance: distance(text.toLowerCase(), word.toLowerCase()) }))
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
