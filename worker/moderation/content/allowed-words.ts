import { plainText } from './plain-text.ts'

/** Removes from a text the words that its client may use; undefined when the text has none of them. */
export type WithoutAllowed = (text: string) => string | undefined

/**
 * Creates the search for the words that a client may use: whole words in any letter case, whatever the form of their
 * apostrophes, hyphens and white space. Each one is replaced by dots of the same length, so that the text around it is checked as before.
 */
export function withoutAllowed(words: readonly string[]): WithoutAllowed {
  // Longest first: `Dick` and `Dick Smith` may both be allowed.
  const sources = words
    .map(plainText)
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.trim())
    .filter(Boolean)
    .map(inAllForms)
  if (sources.length === 0) return () => undefined
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?!(?!ʼ)[\\p{L}\\p{N}])`, 'giu')
  return (text) => {
    const rest = text.replace(any, (word) => '.'.repeat(word.length))
    return rest === text ? undefined : rest
  }
}

const escaped = (word: string): string => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')

/** The expression that matches a word with whatever apostrophes, hyphens and white space: a `Dick’s` is a `Dick's`. */
const inAllForms = (word: string): string =>
  escaped(word)
    .replace(/['’ʼ‘]/g, "['’ʼ‘]")
    .replace(/[-‐‑–]/g, '[-‐‑–]')
    .replace(/\s+/g, '\\s{1,9}')
