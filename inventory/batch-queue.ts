import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs, type Payload } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { BATCHES, batchSubject } from './storage.ts'

/** The origin of a batch, carried in the headers of its message. */
export interface BatchOrigin {
  clientId: string
  /** Uid of the client: it decides whose job this is, while the name decides whose vehicles. */
  clientUid: string
  /** Only for a replay: the sequence of the batch when it was accepted, which still decides which upload is later. */
  sequence?: number
  /** Words that the client was allowed when the batch was accepted; absent: none. */
  allowedWords?: readonly string[] | undefined
  /** The trace of the upload, if it was traced. */
  traceparent?: string | undefined
  /** Number of replays. */
  replays: number
}

/** A batch that is waiting, with its bytes. */
export interface QueuedBatch extends BatchOrigin {
  jobId: string
  sequence: number
  text: string
  acceptedAt: Date
}

/** The stream of batches for programs that store and look up batches. */
export interface BatchQueue {
  /**
   * Stores a batch once for its job and resolves when the server has acknowledged it; throws when the stream is full.
   */
  publish(jobId: string, payload: Payload, origin: BatchOrigin): Promise<void>
  /** The batch of a client's job while it waits or is in progress. */
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

/** The batch in a message of the stream, however the message was obtained. */
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

/** The job that the subject of a batch names. */
export const jobIdOf = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1)

const CLIENT = 'Driveaway-Client'
const CLIENT_UID = 'Driveaway-Client-Uid'
/** For a batch that was put back: its sequence when it was accepted. */
export const SEQUENCE_HEADER = 'Driveaway-Sequence'
/** An encoded JSON list, because headers cannot carry the letters of every language. */
const ALLOWED_WORDS = 'Driveaway-Allowed-Words'
const REPLAYS = 'Driveaway-Replays'
/** The name in W3C Trace Context, which tools for NATS know. */
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

/** An absent header reads as an empty text. */
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

/** Absent when the header has no list: a batch with a header written by hand is moderated like any other. */
function wordsOf(header: string): Pick<BatchOrigin, 'allowedWords'> {
  if (header === '') return {}
  try {
    const words: unknown = JSON.parse(decodeURIComponent(header))
    return Array.isArray(words) ? { allowedWords: words.filter((word) => typeof word === 'string') } : {}
  } catch {
    return {}
  }
}
