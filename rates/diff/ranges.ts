/** What one part of a list applies to, where the parts follow each other without gaps. */
export interface Range {
  /** The fact whose values these are; empty for amounts. */
  of: string
  /** Absent where the range begins with the lowest. */
  above?: Bound
  /** Absent where the range has no end. */
  upTo?: Bound
  /** Whether what is charged depends on where the range begins. */
  isFromStart: boolean
}

export interface Bound {
  /** An exact decimal. */
  amount: string
  words: string
}

/** `$80,809 to $100,000`, `tareKg above 1154`: both ends, where there are two, and something lies between. */
export function rangeWords({ of, above, upTo }: Pick<Range, 'of' | 'above' | 'upTo'>): string {
  const named = (words: string) => (of === '' ? words : `${of} ${words}`)
  if (above === undefined || above.words === upTo?.words) {
    return upTo === undefined ? `any ${of || 'amount'}` : named(`up to ${upTo.words}`)
  }
  return upTo === undefined ? named(`above ${above.words}`) : named(`${above.words} to ${upTo.words}`)
}
