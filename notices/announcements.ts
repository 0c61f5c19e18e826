import type { KV } from '@nats-io/kv'

/** Identifies an announcement by its number; the first is 1. */
export interface Numbered {
  number: number
  release: string
}

/** The progress of the announcements: one record, changed by compare-and-swap. */
export interface Progress {
  /** The last announcement of which every client has its notice or needs none; absent before the first. */
  announced?: Numbered
  /** The announcement whose notices are being put; its rate sets are stored already. */
  putting?: Putting
  /** The announcement that waits for a person's decision. */
  held?: Held
  /** The person's decision about the held announcement. */
  decided?: Decided
}

export interface Putting extends Numbered {
  /** A person decided that nobody is told: the operator that finishes this announcement puts no notices. */
  isCancelled?: true
}

export interface Held {
  release: string
  /** How many clients would be told. */
  clients: number
  /** Since when it waits, ISO. */
  since: string
  /** The subject of the mail. */
  subject: string
}

export interface Decided {
  release: string
  /** `cancel`: nobody is told of it. */
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
  /**
   * Writes over this revision; throws a conflict when there is a later one, for example from an operator that has
   * become the leader since.
   */
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
