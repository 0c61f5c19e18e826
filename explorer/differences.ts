import { changesOf } from '#rates/diff/figures.ts'
import { oldAndNew } from '#rates/diff/old-and-new.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { forReaders } from '#rates/readers/reader-words.ts'
import { setLabels } from '#rates/readers/set-labels.ts'
import { loadedSets, type Difference, type Old } from './served.ts'

/** The old side of a comparison. */
export interface Against {
  label: string
  snapshot: Snapshot
}

/**
 * The old side of a comparison as the page receives it: its sets, and the differences of the new side in words. `today`
 * is ISO.
 */
export function oldSide({ label, snapshot }: Against, now: Snapshot, today: string): Old {
  // The page names the rule and its sources; what differs is said in the words of readers.
  const wordsOf = (code: string) => forReaders(setLabels(snapshot.specs, now.specs, code))
  const differences = changesOf(snapshot.specs, now.specs, today, wordsOf).map((change): Difference => {
    const [was, is] = oldAndNew(change)
    const { pricingCode, component, label: what, from } = change
    return { pricingCode, component, from, what, was, is, period: periodWords(change, (iso) => iso) ?? '' }
  })
  return { label, release: snapshot.release, sets: loadedSets(snapshot), differences }
}
