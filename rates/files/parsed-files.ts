import { checkCases, type QuoteCase } from './cases.ts'
import { keptBelow } from './kept.ts'
import { findSet, keepSet } from './kept-sets.ts'
import { locatorOf } from './parse-once.ts'
import { parse, type RateSetFile } from './rate-set-file.ts'

/** Parsers of rate sets and of cases that keep what they parsed: to parse YAML takes most of a start of a command. */
export interface ParsedFiles {
  /** As `parse` of rate-set-file.ts. */
  parse: (text: string, file: string) => RateSetFile
  /** As `checkCases` of cases.ts. */
  checkCases: typeof checkCases
}

/**
 * The parsers over the kept files below a folder, by default the cache folder of the user. A text with a fault is not
 * kept, because a fault names its file and its line.
 */
export function parsedFiles(folder?: string): ParsedFiles {
  const kept = keptBelow(folder)
  return {
    parse: (text, file) => {
      const known = findSet(kept, text)
      if (known) return { ...known, file, faults: [], locate: locatorOf(text, file) }
      const parsed = parse(text, file)
      keepSet(kept, text, parsed)
      return parsed
    },
    checkCases: (text, file) => {
      const known = kept.find('cases', text) as QuoteCase[] | undefined
      if (known) return { cases: known.map((one) => ({ ...one, file })), faults: [] }
      const checked = checkCases(text, file)
      if (checked.faults.length === 0) kept.keep('cases', text, checked.cases)
      return checked
    },
  }
}
