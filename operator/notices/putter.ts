import type { Announcement, Outbox } from '#notices/outbox.ts'
import type { SigningKey } from '#notices/signing.ts'
import type { Telling } from '#notices/tell.ts'
import type { NoticePage } from '#rates/published/notice-page.ts'
import type { Logger } from '#runtime/log.ts'

/** What notices are put with. */
export interface Putter {
  outbox: Outbox
  key: SigningKey
  telling: Telling & { issuedAt: string }
  /** Aborts when this operator leads no longer. */
  signal: AbortSignal
  /** Called for each notice put, those recognised as put before included. */
  onPut: () => void
  log: Logger
  /** Keeps the whole text of an announcement for readers; undefined where it could not be kept. */
  keepPage?: (page: NoticePage) => Promise<string | undefined>
}

/** What all were told of last, and what they are told of now. */
export interface Step {
  announced: Announcement
  published: Announcement
}
