const BEYOND_LATIN = /[\u0600-\uffff]/
/** Not within longer words and codes; at least six of the ten are digits, so that no word is read as a number. */
const LOOKALIKE =
  /(?<![\p{L}\p{N}$#.,-])(?:\(?[0oO](?:4[\dlIoO]{2}[ -]?[\dlIoO]{3}[ -]?[\dlIoO]{3}|[2378]\)?[ -]?[\dlIoO]{4}[ -]?[\dlIoO]{4})|1[38][0oO]{2}[ -]?[\dlIoO]{3}[ -]?[\dlIoO]{3})(?![\p{L}\p{N}-])/gu

/** A text with ASCII digits in place of those of other scripts, and of the letters in a number such as `04l2 345 678`. */
export function withDigits(text: string): string {
  const plain = BEYOND_LATIN.test(text) ? text.replace(/(?!\d)\p{Nd}/gu, digitOf) : text
  return plain.replace(LOOKALIKE, unmasked)
}

const known = new Map<string, string>()

/** Unicode has the digits of each script in a row, from zero to nine. */
function digitOf(sign: string): string {
  const digit = known.get(sign) ?? String(placeOf(sign.codePointAt(0)!) % 10)
  known.set(sign, digit)
  return digit
}

function placeOf(codePoint: number): number {
  let place = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - place - 1))) place++
  return place
}

function unmasked(number: string): string {
  const enough = number.replace(/\D/g, '').length >= 6
  return enough ? number.replace(/[lI]/g, '1').replace(/[oO]/g, '0') : number
}
