const MARK = /^Carried over from \d{4}-\d{4}, not verified: /

/** Whether a warning says that its figure is last year's and has not been compared with a source for this year. */
export const isCarriedOver = (warning: unknown): boolean => typeof warning === 'string' && MARK.test(warning)

/**
 * The warning of a figure that is carried over from a financial year. It contains the earlier warning, or else a
 * description of the figure. A figure that was carried over before keeps the year for which it was last verified.
 */
export function carriedOverWarning(from: string, said: string): string {
  return isCarriedOver(said) ? said : `Carried over from ${from}, not verified: ${said}`
}

/**
 * How many figures of a rate set, or of a part of one, are marked as carried over: charges, exemptions, rows, terms and
 * adjustments.
 */
export function countCarriedOver(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  const { warning, reason } = part as { warning?: unknown; reason?: unknown }
  const own = isCarriedOver(warning) || isCarriedOver(reason) ? 1 : 0
  return Object.values(part).reduce<number>((sum, one) => sum + countCarriedOver(one), own)
}
