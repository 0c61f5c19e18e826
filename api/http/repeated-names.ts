import { escapePointer } from './json-pointer.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const COMMA = 0x2c

/**
 * The number of colons in a text, at least the number of names. When no string contains a colon the two are equal, and this is a
 * fraction of the work.
 */
export function countColons(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) colons += 1
  return colons
}

/** The number of names in a valid JSON text, which is the number of colons outside strings. */
export function countNames(text: string): number {
  let names = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === COLON) names += 1
    else if (unit === QUOTE) at = endOfString(text, at)
  }
  return names
}

/** The end of the string that begins at a quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let unit = text.charCodeAt(at); unit !== QUOTE; unit = text.charCodeAt(at)) at += unit === BACKSLASH ? 2 : 1
  return at
}

/**
 * The number of members of all objects in a parsed value. Not recursive, because a text may nest a hundred thousand
 * levels.
 */
export function countMembers(value: unknown): number {
  let members = 0
  const open = [value as Record<string, unknown>]
  const enter = (inner: unknown) => {
    if (typeof inner === 'object' && inner !== null) open.push(inner as Record<string, unknown>)
  }
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (Array.isArray(each)) each.forEach(enter)
    else {
      // JSON.parse creates no inherited members, and Object.values would create an array for each object.
      for (const name in each) {
        members += 1
        enter(each[name])
      }
    }
  }
  return members
}

/** An object or array that is being read. */
interface Level {
  /** The names of an object so far; undefined for an array. */
  names: Set<string> | undefined
  /** Whether the next string is a name. */
  expectsName: boolean
  /** The current member or element, as a step of a pointer. */
  step: string | number
}

/** The first name that an object of a valid JSON text repeats, with its JSON pointer. */
export function repeatedName(text: string): { name: string; path: string } {
  const levels: Level[] = []
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const level = levels.at(-1)
    if (unit === OPEN_OBJECT) levels.push({ names: new Set(), expectsName: true, step: '' })
    else if (unit === OPEN_LIST) levels.push({ names: undefined, expectsName: false, step: 0 })
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) levels.pop()
    else if (unit === COMMA && level) toNext(level)
    else if (unit === QUOTE) {
      const end = endOfString(text, at)
      if (level?.expectsName && takeName(level, text.slice(at, end + 1))) {
        return { name: String(level.step), path: pathOf(levels) }
      }
      at = end
    }
  }
  throw new Error('no name stands twice')
}

function toNext(level: Level): void {
  if (level.names) level.expectsName = true
  else level.step = Number(level.step) + 1
}

/** Makes a name, still quoted, the current member of its object; returns whether the object had it already. */
function takeName(level: Level, quoted: string): boolean {
  const name = JSON.parse(quoted) as string
  const isKnown = level.names!.has(name)
  level.names!.add(name)
  level.step = name
  level.expectsName = false
  return isKnown
}

const pathOf = (levels: readonly Level[]) => levels.map(({ step }) => `/${escapePointer(String(step))}`).join('')
