/** Work in progress: batches, or mail. */
export interface Work {
  /**
   * Takes nothing new, gives back what waits, and lets work in progress finish for `graceMs`; then gives that back too.
   */
  stop(graceMs: number): Promise<void>
}
