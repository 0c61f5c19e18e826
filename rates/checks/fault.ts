/**
 * A fault of a rate set: its place in the `spec` (`rules[3].cases[1].charge.bands[2].upTo`), what is wrong, and what
 * was expected.
 */
export interface Fault {
  /** The check that found it, kebab-case: `bands-rise`, `unknown-key`, `examples-pass`. */
  check: string
  path: string
  message: string
}

/** Ids of checks that several files run or look for. */
export const OBJECT_NAME = 'object-name'
export const IMPORTS_PRESENT = 'imports-present'
export const EXAMPLES_PASS = 'examples-pass'
