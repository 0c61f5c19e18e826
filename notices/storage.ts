import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { declaring, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'
import { ensureStorage } from '#runtime/nats/ensure-storage.ts'
import { keyOf } from '#runtime/nats/key.ts'

export const NOTICES = 'NOTICES'
export const NOTICE_DEAD_LETTERS = 'NOTICE_DEAD_LETTERS'
export const MAILER = 'mailer'
/** The bucket of what became of each notice. */
export const DELIVERIES = 'notices'
/** The object bucket of the rate sets of which every client has been told. */
export const ANNOUNCED = 'announced'

/** One sending of a notice to its client; a replay of a dead letter is another. */
export interface Delivery {
  client: string
  digest: string
  /** 0, or which replay it is. */
  replay: number
}

/** Where a delivery is, in the stream, among the dead letters and in the bucket. */
export const deliveryKey = ({ client, digest, replay }: Delivery): string => `${keyOf(client)}.${digest}.${replay}`
export const noticeSubject = (delivery: Delivery): string => `notices.${deliveryKey(delivery)}`
export const deadLetterSubject = (delivery: Delivery): string => `notice-dead-letters.${deliveryKey(delivery)}`

/** The delivery that has this subject. */
export function deliveryOf(subject: string): Delivery {
  const [, client = '', digest = '', replay = '0'] = subject.split('.')
  return { client: Buffer.from(client, 'base64url').toString('utf8'), digest, replay: Number(replay) }
}

/** Milliseconds that a notice may be held without a sign of life before another worker gets it. */
export const ACK_WAIT_MS = 15_000

const DAY_MS = 24 * 3_600_000
/** Far longer than a notice is tried for, so that one which was sent is known to be, whoever asks for it again. */
const DELIVERIES_KEPT_MS = 90 * DAY_MS

/** Everything that notices keep in JetStream, with every limit. */
export function declaredStorage(settings: StorageSettings): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const streams = [
    stream(NOTICES, 0.45, { subjects: ['notices.*.*.*'], retention: 'workqueue', allow_direct: false }),
    stream(NOTICE_DEAD_LETTERS, 0.2, { subjects: ['notice-dead-letters.*.*.*'] }),
    bucket(DELIVERIES, 0.15, DELIVERIES_KEPT_MS),
    stream(`OBJ_${ANNOUNCED}`, 0.2, {
      subjects: [`$O.${ANNOUNCED}.C.>`, `$O.${ANNOUNCED}.M.>`],
      allow_rollup_hdrs: true,
      allow_direct: false,
    }),
  ]
  return { streams: streams.map((config) => ({ config })), consumer: { stream: NOTICES, config: mailer } }
}

/** The one consumer of the notices; every worker pulls from it. */
const mailer: DeclaredStorage['consumer']['config'] = {
  durable_name: MAILER,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  ack_wait: nanos(ACK_WAIT_MS),
  // How long a notice is tried for is a matter of days, not of deliveries.
  max_deliver: -1,
  // One that waits for its next try counts as pending: it must not hold up the others.
  max_ack_pending: 50_000,
}

/** Makes and checks everything that notices keep in JetStream; throws when it is not as declared. */
export function ensureNoticeStorage(connection: NatsConnection, settings: StorageSettings): Promise<void> {
  return ensureStorage(connection, declaredStorage(settings))
}
