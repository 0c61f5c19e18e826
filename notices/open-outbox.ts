import { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import type { StorageSettings } from '#runtime/nats/declare.ts'
import { pruneAnnounced, readAnnounced, writeAnnounced } from './announced.ts'
import type { Outbox } from './outbox.ts'
import { ANNOUNCED, ensureNoticeStorage, MAILBOXES } from './storage.ts'
import { openNoticeStore } from './store.ts'

/** The share of the mailboxes' space that the operator may fill; the workers need the rest. */
const FILLED = 0.9

/** Opens the outbox on a connection, and creates and checks its storage; throws when the storage is not as declared. */
export async function openOutbox(connection: NatsConnection, settings: StorageSettings): Promise<Outbox> {
  await ensureNoticeStorage(connection, settings)
  const { client, manager, mailboxes, cards, announcements, markDue } = await openNoticeStore(connection)
  const announced = await new Objm(client).open(ANNOUNCED)
  return {
    announcements,
    mailboxes,
    cards,
    markDue,
    announced: (number) => readAnnounced(announced, number),
    keepAnnounced: (announcement) => writeAnnounced(announced, announcement),
    pruneAnnounced: (kept) => pruneAnnounced(announced, kept),
    checkRoom: async () => {
      const { state, config } = await manager.streams.info(`KV_${MAILBOXES}`)
      if (state.bytes > config.max_bytes * FILLED) throw new Error(`the bucket ${MAILBOXES} is full`)
    },
  }
}
