/** A dead letter. */
export interface DeadLetterEntry {
  /** The id by which a user names it. */
  id: string
  /** The line for a reader. */
  line: string
  /** The object for a program. */
  letter: object
  /** Puts it back into its queue; returns what became of it, or undefined when it no longer exists. */
  replay(): Promise<string | 'unreadable' | undefined>
}

/** The number of replays, as part of a line. */
export const replayed = (times: number): string => (times > 0 ? `, replayed ${times} times` : '')
