import type { EmphasisName } from '../plan/emphasis.ts'
import { CLIENT_MUTANTS } from './of-clients.ts'
import { PUBLISHING_MUTANTS } from './of-publishing.ts'
import { RUNTIME_MUTANTS } from './of-runtime.ts'

/** A text that stands in a file exactly once, and what is put there instead. */
export interface Change {
  /** Below the repository. */
  file: string
  find: string
  put: string
}

/** One fault that is put into the shipped code. */
export interface Mutant extends Change {
  name: string
  /** Other places that keep the fault from doing harm: it is put into all of them. */
  also?: readonly Change[]
  /** What the seeds dwell on: `plan/emphasis.ts`. */
  emphasis?: EmphasisName
  /** A seed that found it before: tried first, then fresh ones. */
  seed?: number
}

export const changesOf = ({ also = [], ...first }: Mutant): readonly Change[] => [first, ...also]

export const MUTANTS: readonly Mutant[] = [...PUBLISHING_MUTANTS, ...CLIENT_MUTANTS, ...RUNTIME_MUTANTS]
