import { hash } from 'node:crypto'
import type { TextKind } from './texts-of-item.ts'

/** Texts already found clean: makes, colours, field names, and descriptions that a dealer sends again each day. */
export interface CleanTexts {
  has(kind: TextKind, text: string): boolean
  add(kind: TextKind, text: string): void
}

/** Items of which every text was found clean, by the digest of the item's JSON: most items of a feed are those of the day before. */
export interface CleanItems {
  has(digest: string): boolean
  add(digest: string): void
}

/** A longer text is stored as its digest, which costs a few percent of the time of a check. */
const LONGEST = 64
const MOST_SHORT = 20_000
const MOST_LONG = 50_000
const MOST_ITEMS = 50_000

/** Stores about 20 megabytes at most, and drops the texts that were not looked up lately first. */
export function createCleanTexts(): CleanTexts {
  const short = {
    prose: recent(MOST_SHORT),
    name: recent(MOST_SHORT),
    provider: recent(MOST_SHORT),
    link: recent(MOST_SHORT),
    opaque: recent(MOST_SHORT),
  }
  const long = recent(MOST_LONG)
  return {
    has: (kind, text) =>
      text.length > LONGEST ? text.isWellFormed() && long.has(digestOf(kind, text)) : short[kind].has(text),
    add: (kind, text) => {
      if (text.length <= LONGEST) short[kind].add(text)
      else if (text.isWellFormed()) long.add(digestOf(kind, text))
    },
  }
}

/** Stores about 5 megabytes at most. */
export const createCleanItems = (): CleanItems => recent(MOST_ITEMS)

/** The digest of the JSON of an item, which JSON.stringify makes well-formed. */
export const digestOfItem = (json: string): string => hash('sha256', json, 'base64')

/**
 * The digest of a well-formed text (in UTF-8 all lone surrogates are equal). Nobody can construct a text with the
 * digest of another.
 */
const digestOf = (kind: TextKind, text: string): string => hash('sha256', `${kind} ${text}`, 'base64')

/**
 * A set in two halves: an entry found in the older half moves to the newer one, which becomes the older half when it is
 * full.
 */
function recent(most: number): { has(key: string): boolean; add(key: string): void } {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  const add = (key: string) => {
    if (newer.size >= most / 2) [newer, older] = [new Set(), newer]
    newer.add(key)
  }
  const has = (key: string) => {
    if (newer.has(key)) return true
    if (!older.has(key)) return false
    add(key)
    return true
  }
  return { has, add }
}
