import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
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

/** Milliseconds after which a server that has not answered counts as away. */
const ANSWER_MS = 5_000

/** The store on a connection; it does not look whether the storage is there. */
export async function openNoticeStore(connection: NatsConnection): Promise<NoticeStore> {
  const client = jetstream(connection, { timeout: ANSWER_MS })
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false })
  const bucket = await new Kvm(client).open(DELIVERIES, { allow_direct: false })
  return {
    ...{ connection, client, manager },
    deliveries: deliveriesIn(bucket),
    deadLetters: noticeDeadLetters(client, manager),
  }
}
