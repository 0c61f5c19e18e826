import { parseOnce } from '#rates/files/parse-once.ts'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'

const kept = parsedFiles()

/** As `parse`, from what an earlier command kept; not for what is signed. The spec is shared, so nobody may change it. */
export const parseKept = (text: string, file: string): RateSetFile => parseOnce(text, file, kept.parse)

/** As `checkCases`, from what an earlier command kept. */
export const checkKeptCases = kept.checkCases
