import type { JetStreamClient } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import type { Notice } from './notice.ts'
import { pack } from './packed.ts'
import { noticeSubject } from './storage.ts'

/** Stores a notice to be sent, once for its delivery; throws when the server does not acknowledge it or is full. */
export function queueNotice(client: JetStreamClient, notice: Notice, replay = 0): Promise<void> {
  const subject = noticeSubject({ client: notice.client, digest: notice.digest, replay })
  return keepOnce(client, subject, { payload: pack(notice), headers: headers() })
}
