import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { headerLine, keepOnce, listHeaders, sizeOf } from '#runtime/nats/kept-messages.ts'
import type { Waiting } from './mailbox.ts'
import { deadLetterSubject, deliveryOf, NOTICE_DEAD_LETTERS, type Delivery } from './storage.ts'

/** A notice that could not be delivered to some or all of its addresses, without its bytes. */
export interface NoticeDeadLetter extends Delivery {
  /** Its sequence among the dead letters. */
  place: number
  /** How many addresses did not receive it. */
  recipients: number
  reason: string
  keptAt: Date
  bytes: number
}

export interface Undeliverable {
  delivery: Delivery
  /** The notice as it was in its mailbox. */
  waiting: Waiting
  recipients: number
  reason: string
}

/** Notices that could not be delivered, for a person to inspect and replay. */
export interface NoticeDeadLetters {
  /** Stores one, once for each delivery; returns when the server has acknowledged it. */
  keep(undeliverable: Undeliverable): Promise<void>
  /** All dead letters, in the order in which they were given up. */
  list(): Promise<NoticeDeadLetter[]>
  /** The notice as it was in its mailbox; undefined when the dead letter no longer exists. */
  waiting(letter: NoticeDeadLetter): Promise<Waiting | undefined>
  remove(letter: NoticeDeadLetter): Promise<void>
}

const REASON = 'Driveaway-Reason'
const RECIPIENTS = 'Driveaway-Recipients'

export function noticeDeadLetters(client: JetStreamClient, manager: JetStreamManager): NoticeDeadLetters {
  return {
    keep: async ({ delivery, waiting, recipients, reason }) => {
      const described = headers()
      described.set(REASON, headerLine(reason))
      described.set(RECIPIENTS, String(recipients))
      const payload = JSON.stringify(waiting)
      await keepOnce(client, deadLetterSubject(delivery), { payload, headers: described })
    },
    list: async () => (await listHeaders(client, NOTICE_DEAD_LETTERS)).map(toLetter),
    waiting: async ({ place }) => {
      const found = await manager.streams.getMessage(NOTICE_DEAD_LETTERS, { seq: place })
      return found?.json<Waiting>()
    },
    remove: async ({ place }) => {
      await manager.streams.deleteMessage(NOTICE_DEAD_LETTERS, place)
    },
  }
}

function toLetter(message: JsMsg): NoticeDeadLetter {
  const { headers: described, subject, seq, time } = message
  const recipients = Number(described?.get(RECIPIENTS) ?? 0)
  const reason = described?.get(REASON) ?? ''
  return { ...deliveryOf(subject), place: seq, recipients, reason, keptAt: time, bytes: sizeOf(message) }
}
