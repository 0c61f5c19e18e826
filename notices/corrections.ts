import type { FigureChange } from '#rates/diff/figure-change.ts'
import { isFirstPublished, isPublishedAgain } from '#rates/diff/whole-sets.ts'

/**
 * Marks each change that corrects past days; `today` is the ISO day by pricing code. The first publication of a set
 * corrects nothing, because nothing could be quoted with it before. A set that is published again corrects only the
 * figures that differ.
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
