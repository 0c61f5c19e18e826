/** A whole element, a comment or a declaration, or the beginning of an element that a browser acts on without its end. */
const TAG = /<\/?[a-z][^<>]{0,2000}>|<!--|<!\[CDATA|<!doctype|<\?[a-z]/i
const ACTING =
  /<\/?(?:script|style|img|svg|math|iframe|frame|object|embed|link|meta|base|form|input|button|video|audio|source|body|html|a|div|span)(?=[\s/>]|$)[^<>]{0,60}/i
/** The same, written as entities for a page that decodes once too often. */
const ENTITY = /&(?:lt|#0{0,6}60|#x0{0,6}3c);?\s{0,3}[/!a-z][^&]{0,60}/i
const BULLETIN_BOARD = /\[(?:url|img)\b[^\]]{0,60}|\[\/(?:url|img|b|i|u|color|size)\]/i
const SCRIPT_ADDRESS = /\b(?:java|vb)script\s{0,3}:/i

/** The first piece of markup in a text, undefined where there is none; a lone `<` before a number is none. */
export function findMarkup(text: string): string | undefined {
  for (const pattern of [TAG, ACTING, ENTITY, BULLETIN_BOARD, SCRIPT_ADDRESS]) {
    const found = pattern.exec(text)?.[0]
    if (found) return found
  }
  return undefined
}

/** The scheme of an address that a browser would act on when somebody follows it, as `javascript:`. */
export function findUnsafeScheme(text: string): string | undefined {
  const scheme = URL.parse(text)?.protocol
  return scheme === undefined || scheme === 'https:' || scheme === 'http:' ? undefined : scheme
}
