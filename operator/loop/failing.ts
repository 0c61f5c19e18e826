import type { PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { FailingPublication } from '../status/unpublished.ts'

/** Milliseconds for which no run succeeds before statuses say so: a conflict or a server that restarts is over sooner. */
const TOLD_AFTER_MS = 5000
/** The statuses of thousands of objects name the cause: another cause counts no sooner than this. */
const CAUSE_KEPT_MS = 300_000
const MOST_LETTERS = 500

interface FailingLedger {
  failing?: FailingPublication
}

interface FailingOptions {
  ledgers: Record<PublishedKind, FailingLedger>
  clock: Pick<Clock, 'elapsed'>
  /** Told after each failure that the statuses of what waits are due. */
  onTold: (kind: PublishedKind) => void
}

/** Keeps account, for one term, of the kinds of which no publication succeeds. */
export function failingPublications({ ledgers, clock, onTold }: FailingOptions) {
  const since = new Map<PublishedKind, number>()
  const told = new Map<PublishedKind, number>()
  for (const ledger of Object.values(ledgers)) delete ledger.failing
  return {
    succeeded: (kind: PublishedKind): void => {
      since.delete(kind)
      delete ledgers[kind].failing
    },
    failed: (kind: PublishedKind, error: unknown): void => {
      const now = clock.elapsed()
      const from = since.get(kind) ?? now
      since.set(kind, from)
      if (now - from < TOLD_AFTER_MS) return
      if (!ledgers[kind].failing || now - (told.get(kind) ?? now) >= CAUSE_KEPT_MS) {
        ledgers[kind].failing = { message: causeOf(error) }
        told.set(kind, now)
      }
      onTold(kind)
    },
  }
}

export type FailingPublications = ReturnType<typeof failingPublications>

const causeOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, MOST_LETTERS)
