import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { declaring, type DeclaredConsumer, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'
import { ensureStorage, type StorageRole } from '#runtime/nats/ensure-storage.ts'
import { keyOf } from '#runtime/nats/key.ts'

/**
 * The stream of clients that are due: one with a message in it has a notice to be mailed. The stream keeps the name that it
 * always had: two generations of workers that read two streams would mail one client twice.
 */
export const DUE_CLIENTS = 'NOTICE_TURNS'
export const NOTICE_DEAD_LETTERS = 'NOTICE_DEAD_LETTERS'
export const MAILER = 'mailer'
/** The bucket of what each client is to be told next, and was told last. */
export const MAILBOXES = 'mailboxes'
/** The bucket of who is written to for each client. */
export const RECIPIENTS = 'recipients'
/** The bucket of how far the announcements are. */
export const ANNOUNCEMENTS = 'announcements'
/** The object bucket of the rate sets of announcements. */
export const ANNOUNCED = 'announced'

/** A notice of a client, as it stands among the dead letters; a replay that fails again is another. */
export interface Delivery {
  client: string
  digest: string
  /** 0, or which replay it is. */
  replay: number
}

export const dueSubject = (client: string): string => `notice-turns.${keyOf(client)}`
export const deadLetterSubject = ({ client, digest, replay }: Delivery): string =>
  `notice-dead-letters.${keyOf(client)}.${digest}.${replay}`

/** The client that a message says is due, or of a key that `keyOf` made. */
export const clientOf = (subject: string): string =>
  Buffer.from(subject.split('.').at(-1) ?? '', 'base64url').toString('utf8')

/** The delivery that has this subject. */
export function deliveryOf(subject: string): Delivery {
  const [, client = '', digest = '', replay = '0'] = subject.split('.')
  return { client: Buffer.from(client, 'base64url').toString('utf8'), digest, replay: Number(replay) }
}

/** Milliseconds that a due client may be held without a sign of life before another worker gets it. */
export const ACK_WAIT_MS = 15_000

const DAY_MS = 24 * 3_600_000
/** Far longer than a notice is tried for. */
const MAILBOXES_KEPT_MS = 90 * DAY_MS

/** Everything that notices keep in JetStream, with every limit. */
export function declaredStorage(settings: StorageSettings): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const streams = [
    // One message for a client, whatever waits for it: so there is never more than one notice of a client under way.
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
  // How long a notice is tried for is a matter of days, not of deliveries.
  max_deliver: -1,
  // One that waits for its next try counts as pending: it must not hold up the others.
  max_ack_pending: 50_000,
}

/** Makes and checks everything that notices keep in JetStream; throws when it is not as declared. The operator owns it. */
export function ensureNoticeStorage(
  connection: NatsConnection,
  settings: StorageSettings,
  role?: StorageRole,
): Promise<void> {
  return ensureStorage(connection, declaredStorage(settings), role)
}
