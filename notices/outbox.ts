import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Announcements, Numbered } from './announcements.ts'
import type { Cards } from './cards.ts'
import type { Mailboxes } from './mailbox.ts'

/** The rate sets that every client has been notified of. */
export interface Announcement extends Numbered {
  sets: readonly RateSetSpec[]
}

/** Queues notices for clients. Each method throws when the server does not acknowledge. */
export interface Outbox {
  announcements: Announcements
  mailboxes: Mailboxes
  cards: Cards
  /** The rate sets of an announcement, if they are stored. */
  announced(number: number): Promise<Announcement | undefined>
  keepAnnounced(announcement: Announcement): Promise<void>
  /** Deletes the rate sets of all other announcements. */
  pruneAnnounced(kept: readonly number[]): Promise<void>
  /** Schedules the client's mailbox; repeated calls before a worker reads it have no effect. */
  markDue(client: string): Promise<void>
  /**
   * Throws when the store of mailboxes is nearly full. Only new notices make the store grow; the rest of it is for the
   * workers, which record the result of each mail.
   */
  checkRoom(): Promise<void>
}
