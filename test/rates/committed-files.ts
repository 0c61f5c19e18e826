import { readRateSets } from '#rates/files/read.ts'

/** The rate set files of this repository, read once for all tests of a process: a reading takes a second. */
export const committedFiles = readRateSets(['rates/sets'])
