import { nearest } from '#rates/checks/nearest.ts'

/** ` (did you mean lint?)`, or nothing where no known word is near. */
export function didYouMean(text: string, known: readonly string[], prefix = ''): string {
  const likely = nearest(text, known)
  return likely === undefined ? '' : ` (did you mean ${prefix}${likely}?)`
}
