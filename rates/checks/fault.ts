/** A fault of a rate set: where in its `spec` (`rules[3].cases[1].charge.bands[2].upTo`), what is wrong and what was expected. */
export interface Fault {
  /** The check that found it, kebab-case: `band-rises`, `unknown-key`, `example`. */
  check: string
  path: string
  message: string
}
