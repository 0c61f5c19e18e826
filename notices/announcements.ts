import type { KV } from '@nats-io/kv'

/** Identifies an announcement by its number; the first is 1. */
export interface Numbered {
  number: number
  release: string
}

/** The progress of the announcements: one record, changed by compare-and-swap. */
export interface Progress {
  /** The last announcement whose notices are all queued; absent before the first. */
  announced?: Numbered
  /** The announcement whose notices are being queued; its rate sets are already stored. */
  putting?: AnnouncementInProgress
  /** The announcement that waits for a person's decision. */
  held?: HeldAnnouncement
  /** A person's decision on the held announcement. */
  decided?: Decided
}

export interface AnnouncementInProgress extends Numbered {
  /** A person cancelled the announcement; a new leader must not send it. */
  isCancelled?: true
}

export interface HeldAnnouncement {
  release: string
  /** How many clients would be notified. */
  clients: number
  /** When it began to wait, ISO. */
  since: string
  /** The subject of the mail. */
  subject: string
}

export interface Decided {
  release: string
  /** `cancel`: no client is notified. */
  what: 'release' | 'cancel'
  /** Time of the decision, ISO. */
  at: string
}

export interface HeldProgress {
  progress: Progress
  /** 0 before the first write. */
  revision: number
}

export interface Announcements {
  read(): Promise<HeldProgress>
  /** Replaces this revision; throws a conflict when another leader has written a later one. */
  write(progress: Progress, revision: number): Promise<HeldProgress>
}

const KEY = 'progress'

export function announcementsIn(bucket: KV): Announcements {
  return {
    read: async () => {
      const entry = await bucket.get(KEY)
      if (!entry) return { progress: {}, revision: 0 }
      return { progress: entry.operation === 'PUT' ? entry.json<Progress>() : {}, revision: entry.revision }
    },
    write: async (progress, revision) => ({
      progress,
      revision: await bucket.put(KEY, JSON.stringify(progress), { previousSeq: revision }),
    }),
  }
}
