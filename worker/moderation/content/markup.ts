import { parseAddress } from '#inventory/parse-address.ts'
import { areWords, ELEMENTS, findTag, VALUE } from './tags.ts'

/** A comment or a declaration. */
const DECLARATION = /<!--|<!\[CDATA|<!doctype|<\?[a-z]/i
/** `<` written as an entity, for a page that decodes entities twice. As in HTML, `<` before a space is no tag. */
const ESCAPED = /&(?:lt|#0{0,6}60|#x0{0,6}3c);?(?=[/!a-z])/i
const EACH_ESCAPED = new RegExp(ESCAPED, 'gi')
const EACH_VALUE = new RegExp(VALUE, 'gi')
/** Where such a tag ends, with its `>` as a group, or where the next tag starts. */
const ESCAPED_END = /(>|&(?:gt|#0{0,6}62|#x0{0,6}3e))|<|&(?:lt|#0{0,6}60|#x0{0,6}3c)/i
/** A name that no entity and no sign of a tag makes longer. */
const FIRST_WORD = /^[a-z]+(?=[\s!?+,.'’;)]|&nbsp;|& |$)/i
const BULLETIN_BOARD = /\[(?:url|img)\b[^\]]{0,60}|\[\/(?:url|img|b|i|u|color|size)\]/i
const SCRIPT_ADDRESS = /\b(?:java|vb)script\s{0,3}:/i

/** Whether a `<` that nothing closes begins a sentence, such as `<average km`: no element name and no value of an attribute. */
function isSentence(text: string): boolean {
  const word = FIRST_WORD.exec(text)?.[0]
  return word !== undefined && !ELEMENTS.has(word.toLowerCase()) && !VALUE.test(text)
}

/** The first tag that is written with entities. */
function findEscaped(text: string): string | undefined {
  for (const { 0: sign, index } of text.matchAll(EACH_ESCAPED)) {
    const behind = text.slice(index + sign.length)
    const end = ESCAPED_END.exec(behind)
    const tag = behind.slice(0, end?.index)
    const isText = end?.[1] === undefined ? isSentence(tag) : areWords(`<${tag}>`)
    if (!isText) return `${sign}${tag.slice(0, 60)}`
  }
  return ESCAPED.test(text) ? findTag(decoded(text)) : undefined
}

/** A text with the signs of a tag in place of their entities: `&lt;average x<5 onclick=go()&gt;` is one tag for a browser. */
function decoded(text: string): string {
  return text
    .replace(/&(?:lt|#0{0,6}60|#x0{0,6}3c);?/gi, '<')
    .replace(/&(?:gt|#0{0,6}62|#x0{0,6}3e);?/gi, '>')
    .replace(/&(?:quot|#0{0,6}34|#x0{0,6}22);?/gi, '"')
    .replace(EACH_VALUE, '=')
}

/** The first markup in a text; undefined when there is none. A lone `<` before a number is not markup. */
export function findMarkup(text: string): string | undefined {
  const tag = text.includes('<') ? (findTag(text) ?? DECLARATION.exec(text)?.[0]) : undefined
  if (tag !== undefined) return tag
  return findWritten(text) ?? findEscaped(text)
}

/** The first markup that is no tag: of a bulletin board, or an address that a browser would execute. */
export const findWritten = (text: string): string | undefined =>
  (BULLETIN_BOARD.exec(text) ?? SCRIPT_ADDRESS.exec(text))?.[0]

/** The scheme of an address that a browser would execute when the link is followed, such as `javascript:`. */
export function findUnsafeScheme(text: string): string | undefined {
  const scheme = parseAddress(text)?.protocol
  return scheme === undefined || scheme === 'https:' || scheme === 'http:' ? undefined : scheme
}
