const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENS = new Set([0x5b, 0x7b])
const CLOSES = new Set([0x5d, 0x7d])
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Limits of a JSON text. */
export interface TextBounds {
  values: number
  /** Nesting depth of objects and lists. */
  levels: number
}

/**
 * The limit that a JSON text exceeds, counted in its bytes before it is parsed; undefined when there is none. For bytes
 * that are not JSON the result has no meaning.
 */
export function boundsFault(bytes: Uint8Array, most: TextBounds): string | undefined {
  let values = 1
  let levels = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) values += 1
    else if (OPENS.has(byte)) {
      levels += 1
      if (!CLOSES.has(nextToken(bytes, at))) values += 1
    } else if (CLOSES.has(byte)) levels -= 1
    if (levels > most.levels) return `is nested in more than ${most.levels} levels`
    if (values > most.values) return `has more than ${most.values.toLocaleString('en-AU')} values`
  }
  return undefined
}

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
