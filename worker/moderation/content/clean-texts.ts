import { hash } from 'node:crypto'
import type { TextKind } from './texts-of-item.ts'

/** Texts that were found to be clean: makes, colours, names of fields, and descriptions that a dealer sends again each day. */
export interface CleanTexts {
  has(kind: TextKind, text: string): boolean
  add(kind: TextKind, text: string): void
}

/** A longer text is remembered by its digest, which takes a few percent of the time of its check. */
const LONGEST = 64
const MOST_SHORT = 20_000
const MOST_LONG = 50_000

/** Remembers some 20 megabytes of them at most, and forgets those first that have not been asked for lately. */
export function createCleanTexts(): CleanTexts {
  const short = {
    prose: recent(MOST_SHORT),
    name: recent(MOST_SHORT),
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

/** Of a well-formed text: in UTF-8 all lone surrogates are alike. Nobody can make a text with the digest of another one. */
const digestOf = (kind: TextKind, text: string): string => hash('sha256', `${kind} ${text}`, 'base64')

/** A set of two halves: what is found in the older one moves to the newer, which becomes the older when it is full. */
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
