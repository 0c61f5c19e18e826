import type { JetStreamClient } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import type { Notice } from './notice.ts'
import { pack, unpack } from './packed.ts'
import { noticeSubject } from './storage.ts'

/** Stores a notice to be sent, once for its delivery; throws when the server does not acknowledge it or is full. */
export function queueNotice(client: JetStreamClient, notice: Notice, replay = 0): Promise<void> {
  const subject = noticeSubject({ client: notice.client, digest: notice.digest, replay })
  return keepOnce(client, subject, { payload: pack(notice), headers: headers() })
}

/** The notice of a message as it is stored; nothing is sent of one that cannot be read. */
export function readNotice(bytes: Uint8Array): Notice | 'unreadable' {
  try {
    const notice = unpack<Notice>(bytes)
    return Array.isArray(notice.to) && Array.isArray(notice.changes) ? notice : 'unreadable'
  } catch {
    return 'unreadable'
  }
}
