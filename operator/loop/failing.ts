import type { PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { FailingPublication } from '../status/unpublished.ts'

/**
 * Milliseconds without a successful run before statuses say so: a conflict or a restart of the server is over sooner.
 */
const TOLD_AFTER_MS = 5000
/** Thousands of statuses name the cause, so a new cause replaces it only after this time. */
const CAUSE_KEPT_MS = 300_000
const MOST_LETTERS = 500

interface FailingLedger {
  failing?: FailingPublication
}

interface FailingOptions {
  ledgers: Record<PublishedKind, FailingLedger>
  clock: Pick<Clock, 'elapsed'>
  /** Called after each failure that makes the statuses of waiting objects due. */
  onTold: (kind: PublishedKind) => void
}

/** Records, for one term, the kinds whose publications all fail. */
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
