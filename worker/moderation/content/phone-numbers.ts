import { findCalledNumber, GAP, GOES_ON, KEYPAD_WORD, NOUN, UNIT } from './called-numbers.ts'
import { OF_DEALER, WORD } from './dealer-hosts.ts'
import { withDigits } from './digits.ts'
import { withoutOtherNumbers } from './other-numbers.ts'
import { findSpelledNumber, withSpelledDigits } from './spelled-digits.ts'

/**
 * Forms of Australian phone numbers (ACMA, Telecommunications Numbering Plan 2015): an area code or 04 with eight
 * digits, with or without +61; 1300 and 1800 with six digits. 13 with four digits, and eight digits alone, resemble
 * other numbers and count only after a word such as `call` (called-numbers.ts). Any number written with + and a country code counts too.
 */

/** Not within an amount. A full stop or comma after a word, as in `Ph.0412 345 678`, does not start a fraction. */
const BEFORE = '(?<![\\d$#]|\\d[.,])'
const NATIONAL = new RegExp(`${BEFORE}\\(?[0o]${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`, 'i')
/** A mobile number in its three groups, with more between them than a part number or a date has. */
const APART = '[\\s().\\-\\u2010-\\u2015\\u00b7_/]{1,3}'
const GROUPED = new RegExp(`${BEFORE}\\(?04\\d\\d${APART}\\d{3}${APART}\\d{3}(?!\\d)`)
const NO_LIST = '(?<!\\d, )(?<!\\b(?:codes?|parts?|options?|models?|ratios?|sizes?)\\b[\\s.:#]{0,3})'
const SIGNS = '[\\s().\\-\\u2010-\\u2015\\u00b7\\u2022_/=+<>]'
/** The same with any signs between, or one comma, where no list goes on: `0412 / 345678`, `0412•345•678` and `0412, 345 678`. */
const LOOSE = new RegExp(
  `(?=04)${BEFORE}${NO_LIST}04\\d\\d(?:${SIGNS}{1,5}\\d{3}${SIGNS}{0,5}\\d{3}|, ?\\d{3}[ -]?\\d{3}|[ -]?\\d{3}, ?\\d{3})${GOES_ON}`,
  'i',
)
/**
 * The same with one comma or stars, as no amount is written: none begins with a nought. With spaces behind the commas only where no
 * list goes on, before no unit, and not behind a word for what has such numbers, as in `codes 0412, 345, 678`.
 */
const SEPARATED = new RegExp(
  `${BEFORE}(?:04\\d\\d(,|\\*{1,3})\\d{3}\\1\\d{3}(?![\\d,*])|${NO_LIST}04\\d\\d, \\d{3}, \\d{3}${GOES_ON})`,
  'i',
)
/** The same with bars, as tables and lists of codes have them too, with a word for these before them or more numbers beside them. */
const BARRED = new RegExp(
  `(?=04\\d\\d ?[|~;:])${BEFORE}${NO_LIST}(?<!\\d ?[|~;:] ?)04\\d\\d( ?[|~;:] ?)\\d{3}\\1\\d{3}(?!\\d| ?[|~;:] ?\\d|\\s{0,2}${UNIT}\\b)`,
  'i',
)
/** Behind a `#` and no word for what has a number of ten digits, such as a part. */
const HASH =
  /#(?<!\b(?:stock|stk|ref|reference|parts?|oem|sku|p\/n|order|job|id|engine|eng|vin|chassis|key|code|invoice|serial|model|lot|listing|item|rego|ad|batch|barcode|no|number)\b[\s.:]{0,3}#)\s?04\d\d[ -]?\d{3}[ -]?\d{3}(?!\d)/i
/** Matches `2400 2800`, and behind a word for a measure also `2450 3650`: the two ends of a range, such as revolutions. */
const RANGE =
  '\\d\\d00[ -]\\d\\d00|(?<=\\b(?:tow|towing|torque|power|payload|tare|gvm|gcm|atm|braked|unbraked)\\s{1,3}[PT]\\s?:\\s{0,2})\\d{3}0[ -]\\d{3}0'
/** Matches `25122024`: a day written in one run. */
const DAY = '(?:2\\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\\d\\d'
/** `P: 9876 5432` and `T: 98765432`, which no year begins; `P: 98765432AB` is the number of a part. */
const LETTER = new RegExp(
  `(?<![\\p{L}\\p{N}])[PT]\\s?:\\s{0,2}(?!20|${DAY}|${RANGE})[2-9]\\d{3}(?:[ -]\\d{4}|\\d{4}(?!\\p{L}))(?!\\d|[ ,.-]\\d|\\s{0,2}${UNIT}\\b)`,
  'iu',
)
const WITH_COUNTRY = new RegExp(`(?<!\\d)(?:\\+|00|0011)${GAP}61${GAP}0?${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`)
const BARE_COUNTRY = new RegExp(`${BEFORE}61${GAP}[23478](?:${GAP}\\d){8}(?!\\d)`)
const BUSINESS = new RegExp(`${BEFORE}1[38]00(?:${GAP}\\d){6}(?!${GAP}\\d)`)
const ABROAD = new RegExp(`\\+[1-9](?:${GAP}\\d){8,13}(?!\\d)`)
/** Eight digits behind a sign for a phone, or a word that also stands before a year or a range. */
const ENQUIRIES = new RegExp(
  `(?:(?<!\\p{L})(?:[ei]nquir(?:y|ies)|after\\s?hours|sales|showroom)\\s?:?\\s|[\\u260e\\u260f\\u2706\\u{1f4de}\\u{1f4f1}\\u{1f4f2}]\\s?:?\\s?)(?!20|${DAY}|${RANGE})[2-9]\\d{3}[ -]?\\d{4}(?!\\p{L}|[ .-]\\d)${GOES_ON}`,
  'iu',
)

/** A number whose last digits are the letters of a keypad, such as 1800FORCARS; with a space only as `1300 CAR BUY`. */
const LETTERS = new RegExp(
  [
    `${BEFORE}1[38]00-?[A-Z]{6,10}(?![a-z])`,
    `${BEFORE}1[38]00(?!(?:-[A-Z]{2,8}){0,2}-(?i:${NOUN}))(?:-[A-Z]{2,8}){2,3}(?![\\w-])`,
    `${BEFORE}1[38]00 (?=(?: ?[A-Z]){6,7}(?![A-Za-z]| [A-Z]{2}))(?:CAR|BUY|SELL|MY)(?: [A-Z]{2,5}){1,2}`,
  ].join('|'),
  'u',
)
/** The same in any letters: `1300carbuy`. */
const SMALL_LETTERS = new RegExp(`(?=1[38]00)${BEFORE}1[38]00${KEYPAD_WORD}`, 'i')

/** The same with the name of a dealer in any letters: `1800 forcars`, and not `1800 petrol` or `1300 motors`. */
const DEALER_LETTERS = new RegExp(
  `(?=1[38]00)${BEFORE}1[38]00[ -]?(?!${WORD}(?![a-z]))(?=[a-z]{6,10}(?![a-z]))[a-z]{2,8}${OF_DEALER}(?![\\w-])`,
  'i',
)

const FORMS = [
  WITH_COUNTRY,
  NATIONAL,
  GROUPED,
  LOOSE,
  SEPARATED,
  BARRED,
  HASH,
  LETTER,
  BARE_COUNTRY,
  BUSINESS,
  ABROAD,
  ENQUIRIES,
  LETTERS,
  SMALL_LETTERS,
  DEALER_LETTERS,
]

/** The first phone number in a plain text; undefined when there is none. */
export function findPhoneNumber(text: string): string | undefined {
  const spelled = findSpelledNumber(text)
  if (spelled !== undefined) return spelled
  const written = withSpelledDigits(text)
  if (!/\p{Nd}/u.test(written)) return undefined
  const rest = withoutOtherNumbers(withDigits(written))
  for (const form of FORMS) {
    const found = form.exec(rest)?.[0]
    if (found) return found.trim()
  }
  return findCalledNumber(rest)
}
