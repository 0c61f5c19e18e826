import type { JetStreamClient } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { keyOf } from '#runtime/nats/key.ts'
import { listMessages } from '#runtime/nats/kept-messages.ts'
import type { Replaced } from './notice.ts'
import { clientOf, MAILBOXES } from './storage.ts'

/**
 * What one client is to be told next and was told last. The operator puts a notice, the worker mails it, and each writes
 * only over exactly the version that it read.
 */
export interface Mailbox {
  /** The notice to be mailed next; a later one takes its place. */
  waiting?: Waiting
  /** The last notice whose end is known. */
  last?: Ended
  /** The announcement that the client knows, where that is an earlier one than the last: its next notice begins there. */
  knows?: number
  /** What was mailed to the client on one day. */
  mailed?: Mailed
}

export interface Waiting {
  /** The notice, signed by the operator. */
  token: string
  digest: string
  /** Of its announcement. */
  number: number
  /** ISO; when the operator wrote it. */
  issuedAt: string
  /** The announcement at which it begins; absent where the rate sets of that are no longer kept. */
  knows?: number
  /** ISO; it is tried for some days from then on. */
  since: string
  /** 0, or which replay of a dead letter it is. */
  replay: number
  attempts: number
  /** Whether the last server said nothing of it: it may have taken the mail. */
  isUnanswered?: boolean
  /** How often a server took the mail and did not say so. */
  copies?: number
  /** Whether somebody may have it: a server took it, or did not say. */
  mayBeKnown: boolean
  /** Addresses whose server took it. */
  accepted: readonly string[]
  /** Addresses that were refused for good. */
  refused: readonly string[]
  /** Why, in the words of the server, which may name addresses. */
  reason?: string
  /** The notice that it replaces. */
  replaces?: Replaced
}

export interface Ended {
  number: number
  digest: string
  /** `dropped`: nobody of the client was to be written to any more. */
  state: 'sent' | 'dead' | 'dropped'
  /** ISO. */
  at: string
  attempts: number
  /** How many addresses took it, and how many were given up. */
  accepted: number
  refused: number
  /** Of one that was given up: the notice that somebody may have, which the next one replaces. */
  replaces?: Replaced
}

export interface Mailed {
  /** ISO day, UTC. */
  day: string
  count: number
  /** ISO; the last. */
  at: string
}

export interface HeldMailbox {
  mailbox: Mailbox
  /** 0 where there is none. */
  revision: number
}

export interface Mailboxes {
  read(client: string): Promise<HeldMailbox>
  /** All that there are, by client. */
  list(): Promise<Map<string, HeldMailbox>>
  /** Writes over this revision; throws a conflict where there is a later one. */
  write(client: string, mailbox: Mailbox, revision: number): Promise<HeldMailbox>
  remove(client: string): Promise<void>
}

export function mailboxesIn(bucket: KV, client: JetStreamClient): Mailboxes {
  return {
    read: async (name) => {
      const entry = await bucket.get(keyOf(name))
      if (!entry) return { mailbox: {}, revision: 0 }
      return { mailbox: entry.operation === 'PUT' ? entry.json<Mailbox>() : {}, revision: entry.revision }
    },
    list: async () => {
      const messages = await listMessages(client, `KV_${MAILBOXES}`)
      return new Map(
        messages.map((one) => [
          clientOf(one.subject),
          { mailbox: one.data.length > 0 ? one.json<Mailbox>() : {}, revision: one.seq },
        ]),
      )
    },
    write: async (name, mailbox, revision) => ({
      mailbox,
      revision: await bucket.put(keyOf(name), JSON.stringify(mailbox), { previousSeq: revision }),
    }),
    remove: (name) => bucket.purge(keyOf(name)),
  }
}
