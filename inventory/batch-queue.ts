import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs, type Payload } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { BATCHES, batchSubject } from './storage.ts'

/** Where a batch comes from, carried in the headers of its message. */
export interface BatchOrigin {
  clientId: string
  /** Of the client as it was made: whose job it is, where the name decides whose vehicles. */
  clientUid: string
  /** Only of a replay: the sequence the batch had when it was accepted, which still decides what is later. */
  sequence?: number
  /** Words that its client may use, as the client was bound when the batch was accepted; absent: none. */
  allowedWords?: readonly string[] | undefined
  /** The trace of the upload, where it was traced. */
  traceparent?: string | undefined
  /** How often it was replayed. */
  replays: number
}

/** A batch that is waiting, with its bytes. */
export interface QueuedBatch extends BatchOrigin {
  jobId: string
  sequence: number
  text: string
  acceptedAt: Date
}

/** The stream of batches, from the side of those who put in and look up. */
export interface BatchQueue {
  /** Stores a batch once for its job and returns when the server has acknowledged that; throws when it is full. */
  publish(jobId: string, payload: Payload, origin: BatchOrigin): Promise<void>
  /** The batch of a client's job while it waits or is being worked on. */
  waiting(clientId: string, jobId: string): Promise<QueuedBatch | undefined>
}

export function batchQueue(client: JetStreamClient, manager: JetStreamManager): BatchQueue {
  return {
    publish: (jobId, payload, origin) =>
      keepOnce(client, batchSubject(origin.clientId, jobId), { payload, headers: writeOrigin(origin) }),
    waiting: async (clientId, jobId) => {
      const found = await manager.streams.getMessage(BATCHES, { last_by_subj: batchSubject(clientId, jobId) })
      return found ? toBatch(found, found.header) : undefined
    },
  }
}

/** What a message of the stream of batches carries, however it was had. */
export function toBatch(message: Pick<StoredMsg, 'subject' | 'seq' | 'time' | 'string'>, found?: MsgHdrs): QueuedBatch {
  const origin = readOrigin(found)
  return {
    ...origin,
    sequence: origin.sequence ?? message.seq,
    jobId: jobIdOf(message.subject),
    text: message.string(),
    acceptedAt: message.time,
  }
}

/** The job whose batch has this subject. */
export const jobIdOf = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1)

const CLIENT = 'Driveaway-Client'
const CLIENT_UID = 'Driveaway-Client-Uid'
/** Of a batch that was put back: the place that the batch had when it was accepted. */
export const SEQUENCE_HEADER = 'Driveaway-Sequence'
/** A JSON list, encoded: a header is no place for the letters of every language. */
const ALLOWED_WORDS = 'Driveaway-Allowed-Words'
const REPLAYS = 'Driveaway-Replays'
/** As W3C Trace Context names it: tools that read NATS know it. */
const TRACEPARENT = 'traceparent'

export function writeOrigin(origin: BatchOrigin): MsgHdrs {
  const { clientId, clientUid, sequence, allowedWords = [], traceparent, replays } = origin
  const written = headers()
  written.set(CLIENT, clientId)
  written.set(CLIENT_UID, clientUid)
  if (sequence !== undefined) written.set(SEQUENCE_HEADER, String(sequence))
  if (allowedWords.length > 0) written.set(ALLOWED_WORDS, encodeURIComponent(JSON.stringify(allowedWords)))
  if (traceparent !== undefined) written.set(TRACEPARENT, traceparent)
  if (replays > 0) written.set(REPLAYS, String(replays))
  return written
}

/** A header that is absent reads as an empty text. */
export function readOrigin(found: MsgHdrs = headers()): BatchOrigin {
  const sequence = Number(found.get(SEQUENCE_HEADER))
  const traceparent = found.get(TRACEPARENT)
  return {
    clientId: found.get(CLIENT),
    clientUid: found.get(CLIENT_UID),
    ...(sequence > 0 && { sequence }),
    ...wordsOf(found.get(ALLOWED_WORDS)),
    ...(traceparent && { traceparent }),
    replays: Number(found.get(REPLAYS)),
  }
}

/** None where the header holds no list: a batch whose header was written by hand is moderated as any other. */
function wordsOf(header: string): Pick<BatchOrigin, 'allowedWords'> {
  if (header === '') return {}
  try {
    const words: unknown = JSON.parse(decodeURIComponent(header))
    return Array.isArray(words) ? { allowedWords: words.filter((word) => typeof word === 'string') } : {}
  } catch {
    return {}
  }
}
