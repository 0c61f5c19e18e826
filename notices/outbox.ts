import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Announcements, Numbered } from './announcements.ts'
import type { Cards } from './cards.ts'
import type { Mailboxes } from './mailbox.ts'

/** The rate sets about which every client has been told. */
export interface Announcement extends Numbered {
  sets: readonly RateSetSpec[]
}

/** Where the operator puts what clients are told. Each method throws when the server does not acknowledge. */
export interface Outbox {
  announcements: Announcements
  mailboxes: Mailboxes
  cards: Cards
  /** The rate sets of an announcement, if they are stored. */
  announced(number: number): Promise<Announcement | undefined>
  keepAnnounced(announcement: Announcement): Promise<void>
  /** Deletes all other rate sets. */
  pruneAnnounced(kept: readonly number[]): Promise<void>
  /** Makes a worker process the client's mailbox; once, however often this is called before a worker does. */
  markDue(client: string): Promise<void>
  /**
   * Throws when the stored data of clients nears its limit. Only put notices make it grow; the remaining space is for
   * the workers, which record the result of each mail.
   */
  checkRoom(): Promise<void>
}
