/** Work that has begun: on batches, or on mail. */
export interface Work {
  /** Takes nothing new, gives back what waits, and lets what runs finish for `graceMs`; then gives that back as well. */
  stop(graceMs: number): Promise<void>
}
