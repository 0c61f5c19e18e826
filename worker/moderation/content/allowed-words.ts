import { plainText } from './plain-text.ts'

/** A text without the words that its client may use; undefined where it has none of them. */
export type WithoutAllowed = (text: string) => string | undefined

/**
 * Makes the search for the words that a client may use: whole, whatever their case, with spaces as they are written. Each
 * becomes as many dots, so that what stands around it is read as before.
 */
export function withoutAllowed(words: readonly string[]): WithoutAllowed {
  // The longest first: of `Dick` and `Dick Smith` both may be allowed.
  const sources = words
    .map(plainText)
    .toSorted((one, other) => other.length - one.length)
    .filter(Boolean)
    .map(escaped)
  if (sources.length === 0) return () => undefined
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return (text) => {
    const rest = text.replace(any, (word) => '.'.repeat(word.length))
    return rest === text ? undefined : rest
  }
}

const escaped = (word: string): string => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
