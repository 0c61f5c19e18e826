/** A complete element, a comment, a declaration, or the start of an element that browsers act on before its end. */
const TAGS = /<\/?[a-z][^<>]{0,2000}>|<!--|<!\[CDATA|<!doctype|<\?[a-z]/gi
const ACTING =
  /<\/?(?:script|style|img|svg|math|iframe|frame|object|embed|link|meta|base|form|input|button|video|audio|source|body|html|a|div|span)(?=[\s/>]|$)[^<>]{0,60}/i
/** `<` written as an entity, for a page that decodes entities twice. As in HTML, `<` before a space is no tag. */
const ESCAPED = /&(?:lt|#0{0,6}60|#x0{0,6}3c);?(?=[/!a-z])/gi
/** Where such a tag ends, with its `>` as a group, or where the next tag starts. */
const ESCAPED_END = /(>|&(?:gt|#0{0,6}62|#x0{0,6}3e))|<|&(?:lt|#0{0,6}60|#x0{0,6}3c)/i
/** A name that no entity and no sign of a tag makes longer. */
const FIRST_WORD = /^[a-z]+(?=[\s!?+,.'’;)]|&nbsp;|& |$)/i
/** The sign between an attribute and its value, also as an entity. */
const VALUE = /=|&(?:#0*61(?!\d)|#x0*3d(?![\da-f])|equals;)/i
const BULLETIN_BOARD = /\[(?:url|img)\b[^\]]{0,60}|\[\/(?:url|img|b|i|u|color|size)\]/i
const SCRIPT_ADDRESS = /\b(?:java|vb)script\s{0,3}:/i

/** HTML elements, including obsolete ones, and the roots of SVG and MathML: browsers give each of them a meaning. */
const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt element em
  embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
  iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter
  multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre
  progress q rb rbc rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span
  strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
  wbr xmp`.split(/\s+/),
)

/** Whether brackets contain only words, such as `<SALE>` or `<low kms>`: no element name and no attribute. */
function areWords(tag: string): boolean {
  const words = /^<([a-z]+)(?:[ !?&+,.'’][\w !?&+,.'’]{0,40})?>$/i.exec(tag)
  return words?.[1] !== undefined && !ELEMENTS.has(words[1].toLowerCase())
}

/** Whether a `<` that nothing closes begins a sentence, such as `<average km`: no element name and no value of an attribute. */
function isSentence(text: string): boolean {
  const word = FIRST_WORD.exec(text)?.[0]
  return word !== undefined && !ELEMENTS.has(word.toLowerCase()) && !VALUE.test(text)
}

/** The first tag that is written with entities. */
function findEscaped(text: string): string | undefined {
  for (const { 0: sign, index } of text.matchAll(ESCAPED)) {
    const behind = text.slice(index + sign.length)
    const end = ESCAPED_END.exec(behind)
    const tag = behind.slice(0, end?.index)
    const isText = end?.[1] === undefined ? isSentence(tag) : areWords(`<${tag}>`)
    if (!isText) return `${sign}${tag.slice(0, 60)}`
  }
  return undefined
}

/** The first markup in a text; undefined when there is none. A lone `<` before a number is not markup. */
export function findMarkup(text: string): string | undefined {
  const tag = text.match(TAGS)?.find((each) => !areWords(each))
  if (tag !== undefined) return tag
  for (const pattern of [ACTING, BULLETIN_BOARD, SCRIPT_ADDRESS]) {
    const found = pattern.exec(text)?.[0]
    if (found) return found
  }
  return findEscaped(text)
}

/** The scheme of an address that a browser would execute when the link is followed, such as `javascript:`. */
export function findUnsafeScheme(text: string): string | undefined {
  const scheme = URL.parse(text)?.protocol
  return scheme === undefined || scheme === 'https:' || scheme === 'http:' ? undefined : scheme
}
