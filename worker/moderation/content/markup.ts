/** A complete element, a comment, a declaration, or the start of an element that browsers act on before its end. */
const TAGS = /<\/?[a-z][^<>]{0,2000}>|<!--|<!\[CDATA|<!doctype|<\?[a-z]/gi
const ACTING =
  /<\/?(?:script|style|img|svg|math|iframe|frame|object|embed|link|meta|base|form|input|button|video|audio|source|body|html|a|div|span)(?=[\s/>]|$)[^<>]{0,60}/i
/** The same written as entities, for a page that decodes them twice. As in HTML, `<` before a space is no tag. */
const ENTITY = /&(?:lt|#0{0,6}60|#x0{0,6}3c);?[/!a-z][^&]{0,60}/i
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

/** The first markup in a text; undefined when there is none. A lone `<` before a number is not markup. */
export function findMarkup(text: string): string | undefined {
  const tag = text.match(TAGS)?.find((each) => !areWords(each))
  if (tag !== undefined) return tag
  for (const pattern of [ACTING, ENTITY, BULLETIN_BOARD, SCRIPT_ADDRESS]) {
    const found = pattern.exec(text)?.[0]
    if (found) return found
  }
  return undefined
}

/** The scheme of an address that a browser would execute when the link is followed, such as `javascript:`. */
export function findUnsafeScheme(text: string): string | undefined {
  const scheme = URL.parse(text)?.protocol
  return scheme === undefined || scheme === 'https:' || scheme === 'http:' ? undefined : scheme
}
