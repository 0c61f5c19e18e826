import { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import type { StorageSettings } from '#runtime/nats/declare.ts'
import { readAnnounced, writeAnnounced } from './announced.ts'
import { isOver } from './deliveries.ts'
import { queueNotice } from './notice-queue.ts'
import type { Outbox } from './outbox.ts'
import { ANNOUNCED, ensureNoticeStorage } from './storage.ts'
import { openNoticeStore } from './store.ts'

/** The outbox on a connection, its storage made and checked; throws when that is not as declared. */
export async function openOutbox(connection: NatsConnection, settings: StorageSettings): Promise<Outbox> {
  await ensureNoticeStorage(connection, settings)
  const { client, deliveries } = await openNoticeStore(connection)
  const announced = await new Objm(client).open(ANNOUNCED)
  return {
    announced: () => readAnnounced(announced),
    announce: (announcement) => writeAnnounced(announced, announcement),
    put: async (notice) => {
      // What was sent has left the stream, which would take it once more.
      const found = await deliveries.read({ client: notice.client, digest: notice.digest, replay: 0 })
      if (!found || !isOver(found.record)) await queueNotice(client, notice)
    },
  }
}
