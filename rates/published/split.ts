/**
 * Splits a text into parts whose JSON string literals have at most `limit` bytes of UTF-8 each; no code point is cut.
 *
 * The literal counts because a shard carries its part inside JSON, and etcd limits the stored bytes.
 */
export function splitText(text: string, limit: number): string[] {
  // Nearly every text: to count each code point takes a third of the time to encode a set.
  if (text.length * LARGEST <= limit) return [text]
  const parts: string[] = []
  let start = 0
  let size = 0
  let index = 0
  for (const point of text) {
    const cost = literalSize(point)
    if (size + cost > limit && index > start) {
      parts.push(text.slice(start, index))
      start = index
      size = 0
    }
    size += cost
    index += point.length
  }
  parts.push(text.slice(start))
  return parts
}

/** Most bytes of a UTF-16 unit in a literal: `\u001f`. */
const LARGEST = 6

function literalSize(point: string): number {
  const code = point.codePointAt(0) as number
  if (code < 0x20) return LARGEST
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
