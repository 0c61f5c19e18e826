import type { JetStreamClient } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { keyOf } from '#runtime/nats/key.ts'
import { listMessages } from '#runtime/nats/kept-messages.ts'
import { clientOf, RECIPIENTS } from './storage.ts'

/**
 * The recipients of a client's mails, as the operator last saw its object. The worker reads the card when it sends a
 * mail, so a waiting notice goes to the current addresses, and to nobody once the client is suspended or deleted.
 */
export interface Card {
  client: string
  /** uid of the ShowroomClient. */
  uid: string
  /** Addresses; never empty. */
  to: readonly string[]
}

/** Signed cards by client; a client without a card receives no mail. */
export interface Cards {
  read(client: string): Promise<string | undefined>
  list(): Promise<Map<string, string>>
  write(client: string, token: string): Promise<void>
  remove(client: string): Promise<void>
}

export function cardsIn(bucket: KV, client: JetStreamClient): Cards {
  return {
    read: async (name) => {
      const entry = await bucket.get(keyOf(name))
      return entry?.operation === 'PUT' ? entry.string() : undefined
    },
    list: async () => {
      const messages = await listMessages(client, `KV_${RECIPIENTS}`)
      return new Map(messages.filter(({ data }) => data.length > 0).map((one) => [clientOf(one.subject), one.string()]))
    },
    write: async (name, token) => void (await bucket.put(keyOf(name), token)),
    remove: (name) => bucket.purge(keyOf(name)),
  }
}
