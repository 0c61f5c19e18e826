import type { JetStreamClient } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { turnSubject } from './storage.ts'

/** Gives a client a turn, unless it has one. What is mailed is for its mailbox to say. */
export function giveTurn(client: JetStreamClient, name: string): Promise<void> {
  return keepOnce(client, turnSubject(name), { payload: '', headers: headers() })
}
