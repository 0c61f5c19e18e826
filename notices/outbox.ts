import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Notice } from './notice.ts'

/** The rate sets of which every client has been told. */
export interface Announcement {
  /** Counts the announcements, from 1. */
  number: number
  release: string
  sets: readonly RateSetSpec[]
}

/** Where notices wait for the post, and what was told last. Each method throws when the server does not acknowledge. */
export interface Outbox {
  /** Undefined before the first: nobody is told of what was there when notices began. */
  announced(): Promise<Announcement | undefined>
  announce(announcement: Announcement): Promise<void>
  /** Keeps a notice for the post, once for its client and digest, however often it is asked to. */
  put(notice: Notice): Promise<void>
}
