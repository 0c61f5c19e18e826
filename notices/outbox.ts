import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Announcements, Numbered } from './announcements.ts'
import type { Cards } from './cards.ts'
import type { Mailboxes } from './mailbox.ts'

/** The rate sets of which every client has been told. */
export interface Announcement extends Numbered {
  sets: readonly RateSetSpec[]
}

/** Where the operator puts what clients are told. Each method throws when the server does not acknowledge. */
export interface Outbox {
  announcements: Announcements
  mailboxes: Mailboxes
  cards: Cards
  /** The rate sets of an announcement, where they are kept. */
  announced(number: number): Promise<Announcement | undefined>
  keepAnnounced(announcement: Announcement): Promise<void>
  /** Forgets all other rate sets. */
  pruneAnnounced(kept: readonly number[]): Promise<void>
  /** Has a worker look at the client's mailbox; once, however often it is asked for before one does. */
  markDue(client: string): Promise<void>
  /**
   * Throws when what is kept for clients nears its limit. Only what is put makes it grow: the rest of the room is for
   * the workers, which say what became of each mail.
   */
  checkRoom(): Promise<void>
}
