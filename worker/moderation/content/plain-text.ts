/**
 * Invisible characters: zero width, soft hyphens, variation selectors, keycap frames. Also the marks that NFKC does not
 * combine with the letter before them, such as a stroke through each letter: they make no other word of it.
 */
const UNSEEN =
  /[\p{Mn}\p{Me}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\ufe00-\ufe0f\ufeff]/gu

/**
 * The marks in a row beyond those that any writing has (UAX #15, Stream-Safe Text Format). NFKC sorts each row of marks
 * in a time that grows with the square of its length: minutes for one text of 1 MB. The half-width voicing marks become
 * such marks.
 */
const MARKS_BEYOND = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Some characters fold into eighteen. A text that grows by more than this factor is left unfolded, which bounds the
 * cost of its checks.
 */
const MOST_GROWTH = 2

/**
 * The text as a reader sees it: compatibility forms folded (Unicode NFKC, for example full-width digits and ligatures),
 * invisible characters and loose marks removed.
 */
export function plainText(text: string): string {
  const bounded = text.replace(MARKS_BEYOND, '')
  const folded = bounded.normalize('NFKC')
  return (folded.length > bounded.length * MOST_GROWTH ? bounded : folded).replace(UNSEEN, '')
}

/** At most 60 characters of a text in quotes, for a message. */
export function quoted(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').trim()
  return `“${visible.length > 60 ? `${visible.slice(0, 59).toWellFormed()}…` : visible}”`
}
