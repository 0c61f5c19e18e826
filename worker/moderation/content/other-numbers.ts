/**
 * Numbers that have the digits of a phone number and are none: dates, numbers of parts and of stock, and the numbers of a
 * business, which dealers print in each of their advertisements.
 */

/** Dates with dots or dashes have as many digits as a phone number. */
const DATE = /(?<!\d)(?:\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2}|(?:19|20)\d{2}[-./]\d{1,2}[-./]\d{1,2})(?!\d)/g

/** Matches part numbers as Toyota writes them, such as `Part 04152-31090`: five characters, then five. */
const PART = /\b(?:parts?|oem|sku|p\/n)\b[\s.:#]{0,3}(?:(?:no|number|nos)\b[\s.:#]{0,3})?\d{5}-[\dA-Z]{5}(?![\dA-Z])/gi

/**
 * The same without a word before it; and a mileage behind the name of a model, such as `Mazda 1300 123456 miles`. Both
 * are phone numbers behind a word such as `call`.
 */
const BARE_PART = /(?<![\w-])\d{5}-[\dA-Z]{5}(?![\w-])/g
const MILEAGE = /(?<![\d$#])1[38]00\s\d{5,6}(?=\s{0,2}(?:kms?|kilomet(?:re|er)s?|miles|mls)\b)/gi
const CALL = '(?:call|dial|phone|telephone|ph|tel|ring|contact|text|txt|sms|mob|mobile|whatsapp)'
/** Not `\W`, which is any letter beyond ASCII too: each way to divide such letters would be tried, in seconds. */
const BETWEEN = '[^\\p{L}\\p{N}_]'
const BEHIND_CALL = new RegExp(`\\b(?:${CALL}\\b(?:${BETWEEN}{1,3}\\p{L}{1,20}){0,4}|[mpt])${BETWEEN}{0,4}$`, 'iu')
/** Long enough for the word and the four behind it. */
const LOOK_BACK = 120

const NO_MORE = `(?!\\d| {0,2}\\(?${CALL}\\b)`
/** In groups, the number is one of a phone when the words behind it go on to a call. */
const NO_CALL = `(?!\\d|[^\\d\\n]{0,30}\\b${CALL}\\b)`
/** Ten digits in one run, behind letters that stand for no phone. */
const TEN = `(?!(?:${CALL}|[mpt])\\d)[A-Z]{0,3}\\d{10}`
/** Words for a car, a part or a key in a list. */
const LISTED = 'stock|stk|ref|reference|code|cat|key|lot|listing|item|part'
/** Words for a paper, for what is sent, or for what is stamped into a part. */
const RECORD =
  'catalogue|chassis|engine|eng|motor|serial|invoice|order|job|policy|warranty|permit|report|consignment|certificate|cert|claim|quote|receipt|docket'
const NUMBER_SIGN = '\\b\\.?\\s{0,2}(?:(?:no|nos|num|nr|number|id|code)\\b[\\s.:#-]{0,3}|#[\\s.:]{0,2})'
/** Matches `4G63`, the code of an engine before its number. */
const ENGINE_CODE = '(?:(?=[A-Z]{0,5}\\d)(?=\\d{0,5}[A-Z])[A-Z\\d]{2,7}[ -])?'

/**
 * Matches `Stock No: 0412345678`, `Cat# 0412345678`, `Invoice 0412345678` and `Job no. 0412 345 678`: ten digits behind words for
 * something that has a number.
 * `Stock` alone names no number, and nobody writes one of a list in groups; both hide a phone number, and so does a call behind it.
 */
const NUMBERED = new RegExp(
  [
    `\\b(?:(?:${LISTED})${NUMBER_SIGN}|ref:\\s{0,2})${TEN}${NO_MORE}`,
    `\\b(?:${RECORD})${NUMBER_SIGN}${ENGINE_CODE}${TEN}${NO_MORE}`,
    `\\b(?:${RECORD})${NUMBER_SIGN}\\d{4} \\d{3} \\d{3}${NO_CALL}`,
    `\\b(?:invoice|cert|certificate|receipt|docket|key\\s?tag)[\\s.:]{1,3}\\d{10}${NO_MORE}`,
  ].join('|'),
  'gi',
)

/** Matches `Bosch injector 0445110310` and `Bosch 0 451 103 318`; a mobile number has other groups, and mostly begins otherwise. */
const BOSCH = new RegExp(
  `\\bbosch(?:\\s(?!${CALL}\\b)[a-z]{2,15}){0,2}\\s(?:0(?:2\\d|4[3-7]|9\\d)\\d{7}|0 \\d{3} \\d{3} \\d{3})${NO_MORE}`,
  'gi',
)

/** Matches `IMG_0412345678` and `0412345678.jpg`: ten digits in one run in the name of a file, as cameras and exports name them. */
const FILE = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:img|dsc[fn]?|pxl|mvi|vid)_\\d{10}|(?<![\\p{L}\\p{N}+])\\d{10}(?=\\.(?:jpe?g|png|webp|heic|gif|avif|mp4|mov|pdf)\\b))${NO_MORE}`,
  'giu',
)

/** Days as forms of the register have them, such as `Reg exp 04 05 2027`: only behind a word for a date. */
const SPACED_DATE =
  /\b(?:exp(?:ir(?:y|es|ing|ed))?|till?|until|due|dated?|valid|built|complied|compliance|inspected|serviced|rego?|registered)\b[\s.:]{0,3}(?:to[\s:]{1,3})?(?:0?[1-9]|[12]\d|3[01])\s(?:0?[1-9]|1[0-2])\s(?:19|20)\d{2}(?!\d)/gi

const NUMBER_OF = '\\b[\\s.:#(\\-]{0,3}(?:(?:no|number)\\b[\\s.:#]{0,3})?'
const ABN = new RegExp(`\\bA\\.?B\\.?N${NUMBER_OF}([1-9](?:[ .\\-]?\\d){10})(?!\\d)`, 'gi')
/** The number of a company, or of a body that is registered elsewhere. */
const ACN = new RegExp(`\\bA\\.?(?:C|R\\.?B)\\.?N${NUMBER_OF}(\\d{3}([ .\\-]?)\\d{3}\\2\\d{3})(?!\\d)`, 'gi')

/** A plain text in which words stand for the numbers that are no phone numbers. */
export function withoutOtherNumbers(text: string): string {
  return text
    .replace(DATE, ' a day ')
    .replace(SPACED_DATE, ' a day ')
    .replace(PART, ' a part ')
    .replace(NUMBERED, unlessBehindCall)
    .replace(BOSCH, unlessBehindCall)
    .replace(FILE, unlessBehindCall)
    .replace(BARE_PART, unlessBehindCall)
    .replace(MILEAGE, unlessBehindCall)
    .replace(ABN, (written, number: string) => (isAbn(digitsOf(number)) ? ' a business ' : written))
    .replace(ACN, (written, number: string) => (isAcn(digitsOf(number)) ? ' a company ' : written))
}

function unlessBehindCall(number: string, offset: number, text: string): string {
  // An underscore, as in `call_0412345678.jpg`, does not end a word for the expression.
  const before = text.slice(Math.max(0, offset - LOOK_BACK), offset).replaceAll('_', ' ')
  return BEHIND_CALL.test(before) ? number : ' a number '
}

const digitsOf = (number: string): number[] => Array.from(number.replace(/\D/g, ''), Number)

const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digits[index]!, 0)

/** The check of the Australian Business Register, which a phone number behind `ABN` fails but for one in 89. */
const isAbn = ([first, ...others]: readonly number[]): boolean =>
  weighted([first! - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0

/** The check of the Australian Securities and Investments Commission: the ninth digit completes the sum to tens. */
const isAcn = (digits: readonly number[]): boolean => weighted(digits, [8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0
