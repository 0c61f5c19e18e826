import { JetStreamApiError } from '@nats-io/jetstream'
import { MsgHdrsImpl, nuid, type NatsConnection } from '@nats-io/transport-node'

/** A message that is stored only while the last one of its subject has this sequence; 0: while there is none. */
export interface ExpectedMessage {
  subject: string
  text: string
  lastSequence: number
  headers?: Readonly<Record<string, string[]>>
}

/** Milliseconds after which a server that has not answered counts as away. */
const ANSWER_MS = 5_000

/**
 * Stores all of these messages or none; rejects with the error of the server when it stores none. The stream must have
 * `allow_atomic`. The client library's own batch cannot expect a sequence, and hides why the server refused.
 */
export async function publishTogether(connection: NatsConnection, messages: readonly ExpectedMessage[]): Promise<void> {
  const id = nuid.next()
  const last = messages.length - 1
  for (const [at, message] of messages.entries()) {
    const { subject, text } = message
    const options = { headers: headersOf(message, id, at + 1) }
    if (at < last) {
      // Nobody waits for an answer: all go out in one turn, so the server has one unfinished batch of each worker.
      connection.publish(subject, text, options)
      continue
    }
    options.headers.set('Nats-Batch-Commit', '1')
    const answer = await connection.request(subject, text, { ...options, timeout: ANSWER_MS })
    throwRefusal(answer.json())
  }
}

function headersOf({ lastSequence, headers: own = {} }: ExpectedMessage, id: string, place: number) {
  // Of names and values that are ours: `append` would check each letter of each name, for every message.
  return MsgHdrsImpl.fromRecord({
    ...own,
    'Nats-Expected-Last-Subject-Sequence': [String(lastSequence)],
    'Nats-Batch-Id': [id],
    'Nats-Batch-Sequence': [String(place)],
  })
}

function throwRefusal(answer: { error?: ConstructorParameters<typeof JetStreamApiError>[0] }): void {
  if (answer.error) throw new JetStreamApiError(answer.error)
}
