import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { keepOnce } from '#runtime/nats/kept-messages.ts'
import { BATCHES, batchSubject } from './storage.ts'

/** Where a batch comes from, carried in the headers of its message. */
export interface BatchOrigin {
  clientId: string
  /** Of the client as it was made: whose job it is, where the name decides whose vehicles. */
  clientUid: string
  /** Only of a replay: the sequence the batch had when it was accepted, which still decides what is later. */
  sequence?: number
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
  publish(jobId: string, text: string, origin: BatchOrigin): Promise<void>
  /** The batch of a client's job while it waits or is being worked on. */
  waiting(clientId: string, jobId: string): Promise<QueuedBatch | undefined>
}

export function batchQueue(client: JetStreamClient, manager: JetStreamManager): BatchQueue {
  return {
    publish: (jobId, text, origin) =>
      keepOnce(client, batchSubject(origin.clientId, jobId), { payload: text, headers: writeOrigin(origin) }),
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
const REPLAYS = 'Driveaway-Replays'
/** As W3C Trace Context names it: tools that read NATS know it. */
const TRACEPARENT = 'traceparent'

export function writeOrigin({ clientId, clientUid, sequence, traceparent, replays }: BatchOrigin): MsgHdrs {
  const written = headers()
  written.set(CLIENT, clientId)
  written.set(CLIENT_UID, clientUid)
  if (sequence !== undefined) written.set(SEQUENCE_HEADER, String(sequence))
  if (traceparent !== undefined) written.set(TRACEPARENT, traceparent)
  if (replays > 0) written.set(REPLAYS, String(replays))
  return written
}

export function readOrigin(found: MsgHdrs | undefined): BatchOrigin {
  const sequence = Number(found?.get(SEQUENCE_HEADER) ?? 0)
  const traceparent = found?.get(TRACEPARENT)
  return {
    clientId: found?.get(CLIENT) ?? '',
    clientUid: found?.get(CLIENT_UID) ?? '',
    ...(sequence > 0 && { sequence }),
    ...(traceparent && { traceparent }),
    replays: Number(found?.get(REPLAYS) ?? 0),
  }
}
