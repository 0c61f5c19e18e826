import { nearest } from '#rates/checks/nearest.ts'

/** Returns ` (did you mean lint?)`, or an empty text when no known word is similar. */
export function didYouMean(text: string, known: readonly string[], prefix = ''): string {
  const likely = nearest(text, known)
  return likely === undefined ? '' : ` (did you mean ${prefix}${likely}?)`
}
