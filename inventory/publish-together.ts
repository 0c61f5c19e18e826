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

/** The last message of a batch that was stored; it keeps the id of its batch in the header `BATCH_ID`. */
export interface LastOfBatch {
  sequence: number
  batch: string
}

export const BATCH_ID = 'Nats-Batch-Id'

/**
 * Stores all of these messages or none, with sequences that follow each other, and returns the last one; undefined where there is
 * none. Rejects with the error of the server when it stores none. The stream must have `allow_atomic`. The client library's own batch
 * cannot expect a sequence, and hides why the server refused.
 */
export async function publishTogether(
  connection: NatsConnection,
  messages: readonly ExpectedMessage[],
): Promise<LastOfBatch | undefined> {
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
    return { sequence: sequenceIn(answer.json()), batch: id }
  }
  return undefined
}

function headersOf({ lastSequence, headers: own = {} }: ExpectedMessage, id: string, place: number) {
  // Of names and values that are ours: `append` would check each letter of each name, for every message.
  return MsgHdrsImpl.fromRecord({
    ...own,
    'Nats-Expected-Last-Subject-Sequence': [String(lastSequence)],
    [BATCH_ID]: [id],
    'Nats-Batch-Sequence': [String(place)],
  })
}

interface Acknowledgement {
  seq: number
  error?: ConstructorParameters<typeof JetStreamApiError>[0]
}

function sequenceIn({ seq, error }: Acknowledgement): number {
  if (error) throw new JetStreamApiError(error)
  return seq
}
