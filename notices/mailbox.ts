import type { JetStreamClient } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { keyOf } from '#runtime/nats/key.ts'
import { listMessages } from '#runtime/nats/kept-messages.ts'
import type { Replaced } from './notice.ts'
import { clientOf, MAILBOXES } from './storage.ts'

/**
 * A client's waiting notice and last notice. The operator writes a notice, the worker mails it, and each write replaces
 * exactly the version that was read.
 */
export interface Mailbox {
  /** The notice to be mailed next; a later notice replaces it. */
  waiting?: Waiting
  /** The last notice whose result is known. */
  last?: Ended
  /** The announcement that the client knows, if it is earlier than the last one: the next notice begins there. */
  knows?: number
  /** How many mails the client was sent on its last day with mail. */
  mailed?: Mailed
}

export interface Waiting {
  /** The notice, signed by the operator. */
  token: string
  digest: string
  /** Number of its announcement. */
  number: number
  /** When the operator wrote it, ISO. */
  issuedAt: string
  /** The announcement at which it begins; absent when the rate sets of that announcement are no longer stored. */
  knows?: number
  /** Start of the attempts, ISO; they continue for some days. */
  since: string
  /** The replay number; 0 for the original. */
  replay: number
  attempts: number
  /** Whether the last SMTP server gave no answer; the server may have accepted the mail. */
  isUnanswered?: boolean
  /** How many attempts may have left a copy on a server that did not confirm it. */
  copies?: number
  /** Whether the client may have received it: a server accepted it, or did not answer. */
  mayBeKnown: boolean
  /** Addresses whose server accepted it. */
  accepted: readonly string[]
  /** Addresses that were permanently refused. */
  refused: readonly string[]
  /** The reason in the words of the server, which may contain addresses. */
  reason?: string
  /** The notice that it replaces. */
  replaces?: Replaced
}

export interface Ended {
  number: number
  digest: string
  /** `dropped`: the client no longer receives mail. */
  state: 'sent' | 'dead' | 'dropped'
  /** Time of the result, ISO. */
  at: string
  attempts: number
  /** The number of addresses that accepted it; `refused` counts those that were given up. */
  accepted: number
  refused: number
  /** For a dead letter: the notice that the client may have received, which the next notice replaces. */
  replaces?: Replaced
}

export interface Mailed {
  /** ISO day, UTC. */
  day: string
  count: number
  /** Time of the last one, ISO. */
  at: string
}

export interface HeldMailbox {
  mailbox: Mailbox
  /** 0 when there is none. */
  revision: number
}

export interface Mailboxes {
  read(client: string): Promise<HeldMailbox>
  /** All mailboxes, by client. */
  list(): Promise<Map<string, HeldMailbox>>
  /** Replaces this revision; throws a conflict when there is a later one. */
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
