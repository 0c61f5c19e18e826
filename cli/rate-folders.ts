/** The rate sets of a repository. */
export const SETS = 'rates/sets'

/** The cases of a repository. */
export const CASES = 'rates/cases'
