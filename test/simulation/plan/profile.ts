/** What kind of cluster a seed is about. */
export interface Profile {
  /** Whether operators campaign for the lease; else the schedule says who leads. */
  isElected: boolean
  /** Whether only what was attested is published. */
  isAttested: boolean
  readers: number
  /** Whether some readers are of the version before, which reads the format before alone. */
  hasOldReaders?: boolean
  /** Whether time passes only where nothing else can happen, and few statuses are written in a second. */
  isCalm?: boolean
  /** Of the steps at which something could happen at once, the share at which time passes; by default few. */
  timePasses?: number
  /** Milliseconds by which the clock of one operator is slow and that of the other fast. */
  apartMs?: number
  /** Milliseconds by which the second operator learns late of rate sets: its API server is behind. */
  lateMs?: number
}

/** Milliseconds by which a program learns late of each collection. */
export const latenessOf =
  (program: string, { lateMs = 0 }: Profile) =>
  (collection: string): number =>
    program === 'operator-b' && collection === 'ratesets' ? lateMs : 0
