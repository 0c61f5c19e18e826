import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { MsgHdrs } from '@nats-io/transport-node'
import { jobIdOf, readOrigin, writeOrigin, type BatchOrigin, type QueuedBatch } from './batch-queue.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { DEAD_LETTERS, deadLetterSubject } from './storage.ts'

/** A batch that could not be processed, without its bytes. */
export interface DeadLetter extends BatchOrigin {
  /** Where it is among the dead letters. */
  place: number
  jobId: string
  /** The place that the batch had among all batches. */
  sequence: number
  reason: string
  keptAt: Date
  bytes: number
}

/** The batches that could not be processed, kept for a person to look at and to replay. */
export interface DeadLetters {
  /** Keeps a batch, once for its job; returns when the server has acknowledged it. */
  keep(batch: QueuedBatch, reason: string): Promise<void>
  /** All of them, in the order in which they were accepted. */
  list(): Promise<DeadLetter[]>
  /** The batch as it was accepted; undefined when it is gone. */
  text(letter: DeadLetter): Promise<string | undefined>
  remove(letter: DeadLetter): Promise<void>
}

const REASON = 'Driveaway-Reason'

export function deadLetters(client: JetStreamClient, manager: JetStreamManager): DeadLetters {
  return {
    keep: async (batch, reason) => {
      const headers = writeOrigin(batch)
      // A header is one line.
      headers.set(REASON, reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 500))
      try {
        await client.publish(deadLetterSubject(batch.jobId), batch.text, {
          headers,
          expect: { lastSubjectSequence: 0 },
        })
      } catch (error) {
        if (!isConflict(error)) throw error
      }
    },
    list: async () => {
      const letters = await readAll(client)
      return letters.sort((one, other) => one.sequence - other.sequence)
    },
    text: async ({ place }) => (await manager.streams.getMessage(DEAD_LETTERS, { seq: place }))?.string(),
    remove: async ({ place }) => {
      await manager.streams.deleteMessage(DEAD_LETTERS, place)
    },
  }
}

async function readAll(client: JetStreamClient): Promise<DeadLetter[]> {
  const consumer = await client.consumers.get(DEAD_LETTERS, { headers_only: true })
  const count = (await consumer.info()).num_pending
  const letters: DeadLetter[] = []
  if (count === 0) return letters
  for await (const { headers, subject, seq, time } of await consumer.fetch({ max_messages: count, expires: 10_000 })) {
    letters.push({ ...origin(headers), place: seq, jobId: jobIdOf(subject), keptAt: time })
  }
  return letters
}

function origin(headers: MsgHdrs | undefined) {
  const { sequence = 0, ...from } = readOrigin(headers)
  const bytes = Number(headers?.get('Nats-Msg-Size') ?? 0)
  return { ...from, sequence, reason: headers?.get(REASON) ?? '', bytes }
}
