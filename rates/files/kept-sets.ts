import type { Kept } from './kept.ts'
import type { RateSetFile } from './rate-set-file.ts'

/** What is kept of a rate set file without a fault. */
export type KeptSet = Pick<RateSetFile, 'name' | 'spec'>

const KIND = 'rate set'

/** The set that an earlier start parsed from this text, if any. */
export const findSet = (kept: Kept, text: string): KeptSet | undefined => kept.find(KIND, text) as KeptSet | undefined

/** Keeps the set of a text; a text with a fault is not kept, because a fault names its file and its line. */
export function keepSet(kept: Kept, text: string, { name, spec, faults }: RateSetFile): void {
  if (faults.length === 0) kept.keep(KIND, text, { name, spec })
}
