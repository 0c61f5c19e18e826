const DIGITS: Record<string, string> = {
  ...{ zero: '0', nought: '0', naught: '0', oh: '0', o: '0', one: '1', two: '2', three: '3', four: '4' },
  ...{ five: '5', six: '6', seven: '7', eight: '8', nine: '9' },
}
const NAME = `(?:${Object.keys(DIGITS).join('|')})\\b`
const SIGN = `(?:${NAME}|\\d{1,4}(?![\\p{L}\\p{N}]))`
const GAP = '[\\s.,-]{1,3}'
/** Few texts have two such words beside each other. */
const MAY_HAVE_ONE = new RegExp(`(?<![\\p{L}\\p{N}])${NAME}${GAP}${NAME}`, 'iu')
/** Five signs or more in a row, three words in a row among them: `two or three`, `one of 5` and `four five` have fewer. */
const ROW = new RegExp(
  `(?<![\\p{L}\\p{N}$])(?=(?:${SIGN}${GAP}){0,8}(?:${NAME}${GAP}){2}${NAME})${SIGN}(?:${GAP}${SIGN}){4,13}`,
  'giu',
)
/** Eight digits in words alone, in no list and not counted up: nobody spells another number. */
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?!(?:one.{1,2})?two.{1,2}three.{1,2}four)${NAME}(?:[\\s.-]{1,2}${NAME}){7}`,
  'iu',
)
/** Matches `double five`, as people say two of a digit. */
const DOUBLE = new RegExp(`(?<![\\p{L}\\p{N}])double\\s(${NAME})`, 'giu')
const EACH_SIGN = /[a-z]+|\d/gi

/** A text in which digits stand for a row of their names: `0412 three four five 678`. */
export function withSpelledDigits(text: string): string {
  return MAY_HAVE_ONE.test(text) ? text.replace(DOUBLE, '$1 $1').replace(ROW, digitsOf) : text
}

/** The first number of eight digits or more that is spelled in words alone. */
export const findSpelledNumber = (text: string): string | undefined =>
  MAY_HAVE_ONE.test(text) ? NUMBER.exec(text)?.[0] : undefined

const digitsOf = (row: string): string =>
  (row.match(EACH_SIGN) ?? []).map((sign) => DIGITS[sign.toLowerCase()] ?? sign).join('')
