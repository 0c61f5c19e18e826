import type { Announcement, Outbox } from '#notices/outbox.ts'
import type { SigningKey } from '#notices/signing.ts'
import type { Telling } from '#notices/tell.ts'
import type { NoticePage } from '#rates/published/notice-page.ts'
import type { Logger } from '#runtime/log.ts'

/** What the operator needs to queue notices. */
export interface Putter {
  outbox: Outbox
  key: SigningKey
  telling: Telling & { issuedAt: string }
  /** Aborts when this operator no longer leads. */
  signal: AbortSignal
  /** Called for each queued notice, including those that an earlier run had queued. */
  onPut: () => void
  log: Logger
  /** Stores the full text of an announcement for readers; undefined when it could not be stored. */
  keepPage?: (page: NoticePage) => Promise<string | undefined>
}

/** The rates last announced, and those to announce now. */
export interface Step {
  announced: Announcement
  published: Announcement
}
