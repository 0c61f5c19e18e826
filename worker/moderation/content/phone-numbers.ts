/**
 * Forms of Australian numbers (ACMA, Telecommunications Numbering Plan 2015): area code or 04 and eight digits, with or
 * without +61; 1300 and 1800 with six more; and those that other numbers look like, 13 with four more and eight digits
 * alone, only behind a word that says what they are. Then any number that is written with + and a country.
 */
const GAP = '[\\s().\\-\\u2010-\\u2015\\u00b7]{0,2}'
/** Not in the middle of an amount; a full stop or comma behind a word, as in `Ph.0412 345 678`, begins no fraction. */
const BEFORE = '(?<![\\d$#]|\\d[.,])'
const NATIONAL = new RegExp(`${BEFORE}\\(?[0o]${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`, 'i')
const WITH_COUNTRY = new RegExp(`(?<!\\d)(?:\\+|00|0011)${GAP}61${GAP}0?${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`)
const BARE_COUNTRY = new RegExp(`${BEFORE}61${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`)
const BUSINESS = new RegExp(`${BEFORE}1[38]00(?:${GAP}\\d){6}(?!${GAP}\\d)`)
const ABROAD = new RegExp(`\\+[1-9](?:${GAP}\\d){8,13}(?!\\d)`)
const WORDS_BETWEEN = '(?:(?:\\W{1,3}\\p{L}{1,20}){0,2}\\W{1,3}(?:on|at|us|now|me|number|no))?\\W{0,4}'
const CUE = `\\b(?:call|phone|telephone|ph|tel|ring|contact|text|txt|sms|mob|mobile|whatsapp)\\b${WORDS_BETWEEN}`
const AFTER_CUE = new RegExp(
  `${CUE}(?:13(?:${GAP}\\d){4}|[2-9](?:${GAP}\\d){7})(?!\\d|,\\d|\\s{0,2}(?:km|kms|dollars)\\b)`,
  'iu',
)

/** A number whose last digits are written as the letters of the keys: 1800FORCARS; with a space only behind a cue. */
const LETTERS = new RegExp(`${BEFORE}1[38]00-?[A-Z]{6,10}(?![a-z])|${CUE}1[38]00[ -]?(?=[A-Z\\d ]{0,8}[A-Z])[A-Z\\d](?: ?[A-Z\\d]){5,9}`, 'u')

const FORMS = [WITH_COUNTRY, NATIONAL, BARE_COUNTRY, BUSINESS, ABROAD, AFTER_CUE, LETTERS]

/** Dates with dots and dashes have as many digits as a number. */
const DATE = /(?<!\d)(?:\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2}|(?:19|20)\d{2}[-./]\d{1,2}[-./]\d{1,2})(?!\d)/g

/** `Part 04152-31090`, as Toyota writes the numbers of its parts: five characters, then five. */
const PART = /\b(?:parts?|oem|sku|p\/n)\b[\s.:#]{0,3}(?:(?:no|number|nos)\b[\s.:#]{0,3})?\d{5}-[\dA-Z]{5}(?![\dA-Z])/gi

/** The first phone number in a plain text, undefined where there is none. */
export function findPhoneNumber(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined
  const undated = text.replace(DATE, ' a day ').replace(PART, ' a part ')
  for (const form of FORMS) {
    const found = form.exec(undated)?.[0]
    if (found) return found.trim()
  }
  return undefined
}
