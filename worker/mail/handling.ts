import type { HeldMailbox, Waiting } from '#notices/mailbox.ts'
import type { Surroundings } from '#notices/render/document.ts'
import type { SigningKey } from '#notices/signing.ts'
import type { NoticeStore } from '#notices/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { MailMetrics } from './metrics.ts'
import type { Pace } from './pace.ts'
import type { Post } from './post.ts'

/** What due clients are handled with. */
export interface NoticeServices {
  store: NoticeStore
  post: Post
  /** The keys whose signatures are accepted. */
  keys: readonly SigningKey[]
  pace: Pace
  metrics: MailMetrics
  log: Logger
  /** The parts of a mail to a client besides the figures. */
  surroundingsOf: (client: string) => Surroundings
  /** Aborts when mails in progress are to be abandoned. */
  signal: AbortSignal
  retryMs: number
  giveUpMs: number
}

/** One due client, and its mailbox as it was read. */
export interface Handling extends NoticeServices {
  client: string
  stored: HeldMailbox
  waiting: Waiting
}
