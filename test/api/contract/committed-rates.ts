import { compileRateSets } from '../../../rates/files/compile.ts'
import type { Snapshot } from '../../../rates/engine/snapshot.ts'
import { committedFiles } from '../../rates/committed-files.ts'

/** The snapshot of the rate sets in this repository, as an operator would publish them. */
export const committedRates = (): Snapshot => compileRateSets(committedFiles)
