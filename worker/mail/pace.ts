import type { Mailed } from '#notices/mailbox.ts'

/** Longest delay before a client is tried again, in milliseconds, whatever failed. */
export const LONGEST_DELAY_MS = 1_800_000

export interface Pace {
  /** Least milliseconds between two mails to one client. */
  settleMs: number
  /** Most mails to one client on one day of UTC. */
  perDay: number
}

/**
 * Milliseconds until a client may be mailed again; 0: now. Later notices replace one that waits, so after the last mail
 * of a day the next one is a single digest of all changes since.
 */
export function waitMs(mailed: Mailed | undefined, now: Date, { settleMs, perDay }: Pace): number {
  if (!mailed) return 0
  const today = now.toISOString().slice(0, 10)
  if (mailed.day === today && mailed.count >= perDay) return Date.parse(`${today}T24:00:00Z`) - now.getTime()
  return Math.max(0, Date.parse(mailed.at) + settleMs - now.getTime())
}
