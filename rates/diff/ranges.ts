/** What one part of a list applies to, when the parts follow each other without gaps. */
export interface Range {
  /** The fact whose values form the range; empty for amounts. */
  of: string
  /** The unit of the values, when the words name one. */
  unit?: string
  /** Absent when the range starts at the lowest value. */
  above?: Bound
  /** Absent when the range has no end. */
  upTo?: Bound
  /** Whether the charge depends on the start of the range. */
  isFromStart: boolean
}

export interface Bound {
  /** An exact decimal. */
  amount: string
  words: string
}

/** `$80,809 to $100,000`, `tareKg above 1154`: both ends, if there are two and the range is not empty. */
export function rangeWords({ of, unit, above, upTo }: Pick<Range, 'of' | 'unit' | 'above' | 'upTo'>): string {
  const named = (words: string) => `${of === '' ? '' : `${of} `}${words}${unit === undefined ? '' : ` ${unit}`}`
  if (above === undefined || above.words === upTo?.words) {
    return upTo === undefined ? `any ${of || 'amount'}` : named(`up to ${upTo.words}`)
  }
  return upTo === undefined ? named(`above ${above.words}`) : named(`${above.words} to ${upTo.words}`)
}
