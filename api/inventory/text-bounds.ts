const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Limits of a JSON text. */
export interface TextBounds {
  values: number
  /** Nesting depth of objects and lists. */
  levels: number
}

/** What a JSON text is found to be before it is parsed. */
export interface TextFound {
  /** The limit that it exceeds; absent when there is none. */
  fault?: string
  /** Members of all its objects, as they are written; only of a text without a fault. */
  names: number
}

/**
 * Counts a JSON text in its bytes before it is parsed, up to the limit that it exceeds. For bytes that are not JSON the
 * result has no meaning.
 */
export function countText(bytes: Uint8Array, most: TextBounds): TextFound {
  let [values, levels, names] = [1, 0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COLON) names += 1
    else if (byte === COMMA) values += 1
    else if (opens(byte)) {
      levels += 1
      if (!closes(nextToken(bytes, at))) values += 1
    } else if (closes(byte)) levels -= 1
    if (levels > most.levels) return { fault: `is nested in more than ${most.levels} levels`, names }
    if (values > most.values) return { fault: `has more than ${most.values.toLocaleString('en-AU')} values`, names }
  }
  return { names }
}

const opens = (byte: number) => byte === OPEN_LIST || byte === OPEN_OBJECT
const closes = (byte: number) => byte === CLOSE_LIST || byte === CLOSE_OBJECT

/** The end of the string that begins at a quote, or of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function nextToken(bytes: Uint8Array, at: number): number {
  let next = at + 1
  while (SPACES.has(bytes[next]!)) next += 1
  return bytes[next] ?? 0
}
