import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { declaring, type DeclaredConsumer, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'
import { ensureStorage, type StorageRole } from '#runtime/nats/ensure-storage.ts'
import { keyOf } from '#runtime/nats/key.ts'

/**
 * The stream of due clients: a message in it means that its client has a notice to be mailed. The stream keeps its old
 * name: two generations of workers with two streams would mail one client twice.
 */
export const DUE_CLIENTS = 'NOTICE_TURNS'
export const NOTICE_DEAD_LETTERS = 'NOTICE_DEAD_LETTERS'
export const MAILER = 'mailer'
/** The bucket of mailboxes: each client's waiting notice and last notice. */
export const MAILBOXES = 'mailboxes'
/** The bucket of cards: who receives the mails of each client. */
export const RECIPIENTS = 'recipients'
/** The bucket with the progress of the announcements. */
export const ANNOUNCEMENTS = 'announcements'
/** The object bucket of the rate sets of announcements. */
export const ANNOUNCED = 'announced'

/** A notice of a client among the dead letters; a replay that fails again is another delivery. */
export interface Delivery {
  client: string
  digest: string
  /** The replay number; 0 for the original. */
  replay: number
}

export const dueSubject = (client: string): string => `notice-turns.${keyOf(client)}`
export const deadLetterSubject = ({ client, digest, replay }: Delivery): string =>
  `notice-dead-letters.${keyOf(client)}.${digest}.${replay}`

/** The client of a message of the due stream, or of a key that `keyOf` made. */
export const clientOf = (subject: string): string =>
  Buffer.from(subject.split('.').at(-1) ?? '', 'base64url').toString('utf8')

/** The delivery of a subject. */
export function deliveryOf(subject: string): Delivery {
  const [, client = '', digest = '', replay = '0'] = subject.split('.')
  return { client: Buffer.from(client, 'base64url').toString('utf8'), digest, replay: Number(replay) }
}

/** Milliseconds after which a due client goes to another worker, unless its worker says that it still works. */
export const ACK_WAIT_MS = 15_000

const DAY_MS = 24 * 3_600_000
/** Far longer than the retry period of a notice. */
const MAILBOXES_KEPT_MS = 90 * DAY_MS

/** Everything that notices store in JetStream, with every limit. */
export function declaredStorage(settings: StorageSettings): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const streams = [
    // At most one message for each client, so at most one notice of a client is being sent.
    stream(DUE_CLIENTS, 0.05, { subjects: ['notice-turns.*'], retention: 'workqueue', allow_direct: false }),
    stream(NOTICE_DEAD_LETTERS, 0.15, { subjects: ['notice-dead-letters.*.*.*'] }),
    bucket(MAILBOXES, 0.45, MAILBOXES_KEPT_MS),
    bucket(RECIPIENTS, 0.1, 0),
    bucket(ANNOUNCEMENTS, 0.05, 0),
    stream(`OBJ_${ANNOUNCED}`, 0.2, {
      subjects: [`$O.${ANNOUNCED}.C.>`, `$O.${ANNOUNCED}.M.>`],
      allow_rollup_hdrs: true,
      allow_direct: false,
    }),
  ]
  return { streams: streams.map((config) => ({ config })), consumer: { stream: DUE_CLIENTS, config: mailer } }
}

/** The one consumer of the due clients; every worker pulls from it. */
const mailer: DeclaredConsumer['config'] = {
  durable_name: MAILER,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  ack_wait: nanos(ACK_WAIT_MS),
  // The retry period is counted in days, not in deliveries.
  max_deliver: -1,
  // A client that waits for its next attempt counts as pending, and must not block the others.
  max_ack_pending: 50_000,
}

/**
 * Creates and checks everything that notices store in JetStream, and returns what it changed; throws when it is not as
 * declared. The operator owns the storage.
 */
export function ensureNoticeStorage(
  connection: NatsConnection,
  settings: StorageSettings,
  role?: StorageRole,
): Promise<string[]> {
  return ensureStorage(connection, declaredStorage(settings), role)
}
