import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { openJetStream } from '#runtime/nats/jetstream.ts'
import { noticeDeadLetters, type NoticeDeadLetters } from './dead-letters.ts'
import { deliveriesIn, type Deliveries } from './deliveries.ts'
import { DELIVERIES } from './storage.ts'

/** What a program that delivers notices works with, on one connection. */
export interface NoticeStore {
  connection: NatsConnection
  client: JetStreamClient
  manager: JetStreamManager
  deliveries: Deliveries
  deadLetters: NoticeDeadLetters
}

/** The store on a connection; it does not look whether the storage is there. */
export async function openNoticeStore(connection: NatsConnection): Promise<NoticeStore> {
  const { client, manager, bucket } = await openJetStream(connection)
  return {
    ...{ connection, client, manager },
    deliveries: deliveriesIn(await bucket(DELIVERIES)),
    deadLetters: noticeDeadLetters(client, manager),
  }
}
