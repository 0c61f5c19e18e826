/** Characters that are not seen: zero width, soft hyphens, variation selectors, the frame around a digit. */
const UNSEEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\ufe00-\ufe0f\ufeff]/g

/** Some characters fold into eighteen: a text that grows by more than this is left as it is, so that its checking is bounded. */
const MOST_GROWTH = 2

/** The text as a reader sees it: compatibility forms folded (Unicode NFKC: full-width digits, ligatures), nothing unseen. */
export function plainText(text: string): string {
  const folded = text.normalize('NFKC')
  return (folded.length > text.length * MOST_GROWTH ? text : folded).replace(UNSEEN, '')
}

/** Part of a text in quotes, at most 60 characters of it and fit for a message. */
export function quoted(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').trim()
  return `“${visible.length > 60 ? `${visible.slice(0, 59).toWellFormed()}…` : visible}”`
}
