import { compileRateSets } from '../../../rates/files/compile.ts'
import { readRateSets } from '../../../rates/files/read.ts'
import type { Snapshot } from '../../../rates/engine/snapshot.ts'

/** The snapshot of the rate sets in this repository, as an operator would publish them. */
export const committedRates = (): Snapshot => compileRateSets(readRateSets(['rates/sets']))
