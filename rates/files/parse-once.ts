import { parseDocument } from './document.ts'
import { parse, type RateSetFile } from './rate-set-file.ts'

const parsed = new Map<string, RateSetFile>()

/**
 * As `parse`, once for each text in a process: most files of the two sides of a comparison are the same. The spec is
 * shared, so nobody may change it.
 */
export function parseOnce(text: string, file: string, parseText = parse): RateSetFile {
  const known = parsed.get(text)
  if (known) return { ...known, file, locate: locatorOf(text, file) }
  const read = parseText(text, file)
  // Not its document, which takes many times the bytes of the text. A fault names its file.
  if (read.faults.length === 0) parsed.set(text, { ...read, locate: locatorOf(text, file) })
  return read
}

/** Parses the text on the first call only: a file without a fault is never asked where something is. */
export function locatorOf(text: string, file: string): RateSetFile['locate'] {
  let locate: RateSetFile['locate'] | undefined
  return (path) => (locate ??= parseDocument(text, file).locate)(path)
}
