import type { FigureChange } from '#rates/diff/figures.ts'

/**
 * Changes, each with whether it corrects days already past; `today` is ISO, by pricing code. Before a set is published there is
 * nothing to correct: nothing could be quoted by it.
 */
export function withCorrections(
  changes: readonly FigureChange[],
  today: (pricingCode: string) => string,
): FigureChange[] {
  const published = changes.filter(({ kind, new: now }) => kind === 'set' && now !== null)
  return changes.map((change) => {
    const isFirst = published.some((set) => set.pricingCode === change.pricingCode && isWithin(set, change.from))
    return { ...change, correction: !isFirst && change.from < today(change.pricingCode) }
  })
}

const isWithin = ({ from, until = '9999' }: FigureChange, day: string): boolean => from <= day && day <= until
