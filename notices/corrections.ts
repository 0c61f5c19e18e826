import type { FigureChange } from '#rates/diff/figures.ts'
import { isFirstPublished, isPublishedAgain } from '#rates/diff/whole-sets.ts'

/**
 * Changes, each with whether it corrects days already past; `today` is ISO, by pricing code. Before a set is published there is
 * nothing to correct: nothing could be quoted by it. A set that is published again corrects what differs, and not itself.
 */
export function withCorrections(
  changes: readonly FigureChange[],
  today: (pricingCode: string) => string,
): FigureChange[] {
  const published = changes.filter(isFirstPublished)
  return changes.map((change) => {
    const isFirst = published.some((set) => set.pricingCode === change.pricingCode && isWithin(set, change.from))
    const isPast = change.from < today(change.pricingCode)
    return { ...change, correction: isPast && !isFirst && !isPublishedAgain(change) }
  })
}

const isWithin = ({ from, until = '9999' }: FigureChange, day: string): boolean => from <= day && day <= until
