import type { JetStreamClient } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { dueSubject } from './storage.ts'

/** Says once that a client is due, until a worker has seen to it. What is mailed is for its mailbox to say. */
export function markDue(client: JetStreamClient, name: string): Promise<void> {
  return keepOnce(client, dueSubject(name), { payload: '', headers: headers() })
}
