import type { Mailed } from '#notices/mailbox.ts'

/** Milliseconds at most until a client is tried again, whatever failed. */
export const LONGEST_DELAY_MS = 1_800_000

export interface Pace {
  /** Milliseconds between two mails to one client. */
  settleMs: number
  /** Mails to one client on one day, UTC. */
  perDay: number
}

/**
 * Milliseconds until a client may be mailed again; 0: now. A notice that waits is replaced by later ones, so what comes
 * after the last mail of a day is one digest of all that changed since.
 */
export function waitMs(mailed: Mailed | undefined, now: Date, { settleMs, perDay }: Pace): number {
  if (!mailed) return 0
  const today = now.toISOString().slice(0, 10)
  if (mailed.day === today && mailed.count >= perDay) return Date.parse(`${today}T24:00:00Z`) - now.getTime()
  return Math.max(0, Date.parse(mailed.at) + settleMs - now.getTime())
}
