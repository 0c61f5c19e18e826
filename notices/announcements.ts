import type { KV } from '@nats-io/kv'

/** Which announcement: they are counted from 1. */
export interface Numbered {
  number: number
  release: string
}

/** How far the announcements are: one record, changed by compare-and-swap. */
export interface Progress {
  /** Of it every client has its notice, or needs none; absent before the first. */
  announced?: Numbered
  /** Its notices are being put; its rate sets are kept already. */
  putting?: Putting
  /** What waits for a person. */
  held?: Held
  /** What a person said of what is held. */
  decided?: Decided
}

export interface Putting extends Numbered {
  /** A person said that nobody is told: whoever finishes this tells nobody. */
  isCancelled?: true
}

export interface Held {
  release: string
  /** How many clients would be told. */
  clients: number
  /** ISO. */
  since: string
  /** The subject of the mail. */
  subject: string
}

export interface Decided {
  release: string
  /** `cancel`: nobody is told of it. */
  what: 'release' | 'cancel'
  /** ISO. */
  at: string
}

export interface HeldProgress {
  progress: Progress
  /** 0 before the first. */
  revision: number
}

export interface Announcements {
  read(): Promise<HeldProgress>
  /** Writes over this revision; throws a conflict where there is a later one, as from an operator that leads since. */
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
