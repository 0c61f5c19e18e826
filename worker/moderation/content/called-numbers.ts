/** Numbers that resemble others, and are those of a phone only behind a word such as `call`. */

export const GAP = '[\\s().\\-\\u2010-\\u2015\\u00b7]{0,2}'
export const UNIT = '(?:km|kms|dollars|rpm|revs|kgs?|mm|nm|kw)'
/** What follows a number that is none of a phone: more digits, the rest of a list, a unit. */
export const GOES_ON = `(?!\\d|[,*|] ?\\d|\\s(?:and|or|&)\\s\\d|\\s{0,2}${UNIT}\\b)`

/** 13 with four digits, and eight digits. */
const SHORT = new RegExp(
  `(?<!\\d)(?:13(?:${GAP}\\d){4}|[2-9](?:${GAP}\\d){7})(?!\\d|,\\d|\\s{0,2}(?:km|kms|dollars)\\b)`,
  'gi',
)
/** A mobile number without its nought. */
const MOBILE = new RegExp(`(?<!\\d)4\\d\\d${GAP}\\d{3}${GAP}\\d{3}(?![ .-]\\d)${GOES_ON}`, 'gi')

/** What is counted or measured by 1300 or 1800, or has such an engine. */
export const NOUN =
  '(?:kms?|kgs?|cc|mm|nm|rpm|hp|kw|miles|(?:kilo)?metres?|litres?|kilograms?|petrol|diesel|turbo|hybrid|electric|engine|motors?|series|manual|auto|sedan|wagon|coupe|hatch|estate|deluxe|utes?|cars(?= in | sold| available| to )|vehicles|watts?|square|(?:un)?braked|new|used|dollars?|people|members|reviews|number)(?![a-z])'
/** Six or seven letters of a keypad that are one word, and no noun in the plural: `carbuy`. */
export const KEYPAD_WORD = `(?!${NOUN})(?=[a-z]{6,7}(?![\\w-]))[a-z]{5,6}[a-rt-z]`
/** Matches `1300 CARBUY`, `1800 MY UTES` and `1300 CARS 4U`. */
const LETTERS = new RegExp(
  `(?<!\\d)1[38]00[ -]?(?!(?i:${NOUN}))(?=[A-Z\\d ]{0,8}[A-Z])[A-Z\\d](?: ?[A-Z\\d]){5,9}`,
  'g',
)
const SMALL_LETTERS = new RegExp(`(?<!\\d)1[38]00[ -]${KEYPAD_WORD}`, 'gi')

const NO_LETTER = '[^\\p{L}\\p{N}_]'
const WORDS_BETWEEN = `(?:(?:${NO_LETTER}{1,3}\\p{L}{1,20}){0,2}${NO_LETTER}{1,3}(?:on|at|us|now|me|number|no))?${NO_LETTER}{0,4}`
const CUE_WORD = '\\b(?:call|phone|telephone|ph|tel|ring|contact|text|txt|sms|mob|mobile|whatsapp)\\b'
const BEHIND_CUE = new RegExp(`${CUE_WORD}${WORDS_BETWEEN}$`, 'iu')
/** Matches `my mobile is ` and `WhatsApp Joe `; `ring gear ` and `text size ` are no such words. */
const BEHIND_WORD = new RegExp(
  `(?:${CUE_WORD}\\sis|\\b(?:call|whatsapp|sms)\\s(?!(?:stock|engine|order|ref|part|code|id|vin|chassis|job)\\b)\\p{L}{1,20})\\s$`,
  'iu',
)
/** The end of a sentence, behind which another thing is counted: `Ring us. 1800 braked towing`. */
const SENTENCE_END = /(?<!\b(?:ph|tel|mob))[.!?;]\s{1,3}$/i
/** Longer than a cue with all that may be behind it. */
const LOOK_BACK = 120

/**
 * The first such number in a plain text. The number is searched first and the cue then: one expression for both takes V8 longer to
 * compile than all others together.
 */
export function findCalledNumber(text: string): string | undefined {
  for (const form of [SHORT, MOBILE, LETTERS, SMALL_LETTERS])
    for (const { 0: number, index } of text.matchAll(form)) {
      const before = text.slice(Math.max(0, index - LOOK_BACK), index)
      if (isCalled(form, before)) return number
    }
  return undefined
}

function isCalled(form: RegExp, before: string): boolean {
  if (form === MOBILE && BEHIND_WORD.test(before)) return true
  const isApart = (form === LETTERS || form === SMALL_LETTERS) && SENTENCE_END.test(before)
  return !isApart && BEHIND_CUE.test(before)
}
