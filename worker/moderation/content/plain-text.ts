/** Invisible characters: zero width, soft hyphens, variation selectors, keycap frames. */
const UNSEEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\ufe00-\ufe0f\ufeff]/g

/**
 * Some characters fold into eighteen. A text that grows by more than this factor is left unfolded, which bounds the
 * cost of its checks.
 */
const MOST_GROWTH = 2

/**
 * The text as a reader sees it: compatibility forms folded (Unicode NFKC, for example full-width digits and ligatures),
 * invisible characters removed.
 */
export function plainText(text: string): string {
  const folded = text.normalize('NFKC')
  return (folded.length > text.length * MOST_GROWTH ? text : folded).replace(UNSEEN, '')
}

/** At most 60 characters of a text in quotes, for a message. */
export function quoted(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').trim()
  return `“${visible.length > 60 ? `${visible.slice(0, 59).toWellFormed()}…` : visible}”`
}
