import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import type { StorageSettings } from '#runtime/nats/declare.ts'
import { readAnnounced, writeAnnounced } from './announced.ts'
import { deliveriesIn, isOver } from './deliveries.ts'
import { queueNotice } from './notice-queue.ts'
import type { Outbox } from './outbox.ts'
import { ANNOUNCED, DELIVERIES, ensureNoticeStorage } from './storage.ts'

/** Milliseconds after which a server that has not answered counts as away. */
const ANSWER_MS = 5_000

/** The outbox on a connection, its storage made and checked; throws when that is not as declared. */
export async function openOutbox(connection: NatsConnection, settings: StorageSettings): Promise<Outbox> {
  await ensureNoticeStorage(connection, settings)
  const client = jetstream(connection, { timeout: ANSWER_MS })
  const deliveries = deliveriesIn(await new Kvm(client).open(DELIVERIES, { allow_direct: false }))
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
