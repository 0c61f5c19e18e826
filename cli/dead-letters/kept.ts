/** Something that was given up and kept. */
export interface Kept {
  /** By which a person names it. */
  id: string
  /** For a person. */
  line: string
  /** For a program. */
  letter: object
  /** Puts it back to be worked on; says what became of it, or nothing when it is gone. */
  replay(): Promise<string | 'unreadable' | undefined>
}

/** How often something was replayed, for the middle of a line. */
export const replayed = (times: number): string => (times > 0 ? `, replayed ${times} times` : '')
