import type { JetStreamClient, JsMsg } from '@nats-io/jetstream'
import type { MsgHdrs, Payload } from '@nats-io/transport-node'
import { isConflict } from './jetstream-error.ts'

/**
 * Stores a message unless its subject has one. Returns when the server has acknowledged it; throws when the stream is
 * full.
 */
export async function keepOnce(
  client: JetStreamClient,
  subject: string,
  message: { payload: Payload; headers: MsgHdrs },
): Promise<void> {
  try {
    await client.publish(subject, message.payload, { headers: message.headers, expect: { lastSubjectSequence: 0 } })
  } catch (error) {
    // Already stored: an earlier attempt succeeded, but its acknowledgement was lost.
    if (!isConflict(error)) throw error
  }
}

/** Every message of a stream, without its bytes. */
export const listHeaders = (client: JetStreamClient, stream: string): Promise<JsMsg[]> =>
  listAll(client, stream, { headers_only: true })

/** Every message of a stream; for a bucket, the current value of each key, with no bytes for removed keys. */
export const listMessages = (client: JetStreamClient, stream: string): Promise<JsMsg[]> => listAll(client, stream, {})

async function listAll(client: JetStreamClient, stream: string, options: object): Promise<JsMsg[]> {
  const consumer = await client.consumers.get(stream, options)
  const count = (await consumer.info()).num_pending
  const messages: JsMsg[] = []
  if (count === 0) return messages
  for await (const message of await consumer.fetch({ max_messages: count, expires: 10_000 })) messages.push(message)
  return messages
}

/** Size in bytes of a message whose headers alone were requested. */
export const sizeOf = ({ headers }: JsMsg): number => Number(headers?.get('Nats-Msg-Size') ?? 0)

/** A text that fits into a header: one line of ASCII, at most 500 characters. */
export const headerLine = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 500)
