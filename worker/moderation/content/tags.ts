/**
 * A tag up to its `>`, or up to the next `<`. For HTML a `<` ends no tag: it may stand in the name or the value of an attribute,
 * as in `<b title="<" onclick=go()>`.
 */
const TAG = /<\/?[a-z][^<>]*>?/gi

/** The sign between an attribute and its value, also as an entity. */
export const VALUE = /=|&(?:#0*61(?!\d)|#x0*3d(?![\da-f])|equals;)/i

/** HTML elements, including obsolete ones, and the roots of SVG and MathML: browsers give each of them a meaning. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt element em
  embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
  iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter
  multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre
  progress q rb rbc rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span
  strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
  wbr xmp`.split(/\s+/),
)

/** Elements that act, load something or swallow the text behind them, so that their mere start is markup. */
const ACTING: ReadonlySet<string> = new Set(
  `script style img svg math iframe frame object embed link meta base form input button video audio source body html a div span
  applet bgsound frameset isindex keygen marquee noembed noframes noscript plaintext textarea xmp`.split(/\s+/),
)

/**
 * An attribute that changes the page of whoever shows the text, or a value in quotes. A tag that the text leaves open ends at
 * the next `>` of that page.
 */
const EFFECT = /(?<![a-z\d-])(?:on(?!roads?\b)[a-z]{3,40}|style|href|src|srcdoc|action|formaction)\s*=|=\s*["']/i

/** Attributes that have an effect without a value; an `href` is that of the page itself. */
const WITHOUT_VALUE = /\b(?:on[a-z]{3,}|hidden|inert|contenteditable|popover|autofocus|draggable|href|ping|download)\b/i

/** The first tag in a text that browsers may act on; in time that grows with the length alone. */
export function findTag(text: string): string | undefined {
  const lastEnd = text.lastIndexOf('>')
  let searched = 0
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    if (tag.endsWith('>')) {
      if (!areWords(tag)) return tag
      continue
    }
    const name = nameOf(tag)
    if (ACTING.has(name) || (index < lastEnd && ELEMENTS.has(name))) return tag
    // Each tag within another that is open has the end of the outer one.
    if (index < searched) continue
    searched = endBehind(text, index)
    if (EFFECT.test(text.slice(index, searched))) return text.slice(index, searched)
  }
  return undefined
}

function endBehind(text: string, index: number): number {
  const end = text.indexOf('>', index)
  return end < 0 ? text.length : end
}

const nameOf = (tag: string): string => /[^<\s/>]+/.exec(tag)![0].toLowerCase()

/**
 * Whether brackets contain only words, such as `<SALE>`, `<U.S. built>` or `<average for its age - range >`: no name of an
 * element, and no value of an attribute.
 */
export function areWords(tag: string): boolean {
  const [, name, rest = ''] = /^<([^\s/>]+)(|\s[^>]*)>$/.exec(tag) ?? []
  if (name === undefined || /[-:_"`=;#]/.test(name)) return false
  if (/["`\\{}]|\/(?!\w)/.test(rest) || VALUE.test(rest)) return false
  return !ELEMENTS.has(name.toLowerCase()) || isModel(name, rest)
}

/** Matches `<S line>`, `<A class>` and `<I Pace>`: a capital that is also an element, and words that do nothing as attributes of it. */
const isModel = (name: string, rest: string): boolean =>
  /^[ABIPQSU]$/.test(name) && /^\s[\w.,&+'’-][\w .,&+'’-]{1,40}$/.test(rest) && !WITHOUT_VALUE.test(rest)
