import {
  Amount,
  Decimal,
  Dollars,
  ExpectedFigure,
  IsoDate,
  Measure,
  NAME,
  NonZero,
  Percent,
  Positive,
  PositiveAmount,
  PricingCode,
  AddendText,
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
  [
    patternOf(AddendText),
    'an amount, a money input such as dutiable, kind:<line kind>, line:<COMPONENT>, alone:<COMPONENT> or basis:<BASIS>',
  ],
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
  [patternOf(ExpectedFigure), 'dollars and cents "3385.20", none or unpriced'],
])

/** The meaning of a schema's pattern in words, or the pattern itself when no words are known. */
export function expectedText(schema: unknown): string {
  const { pattern, description } = (schema ?? {}) as { pattern?: string; description?: string }
  return byPattern.get(pattern) ?? description?.toLowerCase() ?? `text like ${pattern}`
}
