import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { openJetStream } from '#runtime/nats/jetstream.ts'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { announcementsIn, type Announcements } from './announcements.ts'
import { cardsIn, type Cards } from './cards.ts'
import { noticeDeadLetters, type NoticeDeadLetters } from './dead-letters.ts'
import { mailboxesIn, type Mailboxes } from './mailbox.ts'
import type { Announcement } from './outbox.ts'
import { readAnnounced } from './announced.ts'
import { ANNOUNCED, ANNOUNCEMENTS, dueSubject, MAILBOXES, RECIPIENTS } from './storage.ts'

/** Everything that a program needs to deliver notices, on one connection. */
export interface NoticeStore {
  connection: NatsConnection
  client: JetStreamClient
  manager: JetStreamManager
  mailboxes: Mailboxes
  cards: Cards
  announcements: Announcements
  deadLetters: NoticeDeadLetters
  /** The rate sets of an announcement, if they are stored. */
  announced(number: number): Promise<Announcement | undefined>
  /** Marks a client as due until a worker has processed its mailbox, which says what to mail. */
  markDue(client: string): Promise<void>
}

/** Opens the store on a connection without checking that the storage exists. */
export async function openNoticeStore(connection: NatsConnection): Promise<NoticeStore> {
  const { client, manager, bucket } = await openJetStream(connection)
  return {
    connection,
    client,
    manager,
    mailboxes: mailboxesIn(await bucket(MAILBOXES), client),
    cards: cardsIn(await bucket(RECIPIENTS), client),
    announcements: announcementsIn(await bucket(ANNOUNCEMENTS)),
    deadLetters: noticeDeadLetters(client, manager),
    announced: async (number) => readAnnounced(await new Objm(client).open(ANNOUNCED), number),
    markDue: (name) => keepOnce(client, dueSubject(name), { payload: '', headers: headers() }),
  }
}
