/** One fault that is put into the shipped code. */
export interface Mutant {
  name: string
  /** Below the repository. */
  file: string
  /** Stands in the file exactly once. */
  find: string
  put: string
}

export const MUTANTS: readonly Mutant[] = []
