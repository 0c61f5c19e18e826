import { CLIENT_MUTANTS } from './of-clients.ts'
import { PUBLISHING_MUTANTS } from './of-publishing.ts'
import { RUNTIME_MUTANTS } from './of-runtime.ts'

/** One fault that is put into the shipped code. */
export interface Mutant {
  name: string
  /** Below the repository. */
  file: string
  /** Stands in the file exactly once. */
  find: string
  put: string
}

export const MUTANTS: readonly Mutant[] = [...PUBLISHING_MUTANTS, ...CLIENT_MUTANTS, ...RUNTIME_MUTANTS]
