import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import { jobIdOf, readOrigin, writeOrigin, type BatchOrigin, type QueuedBatch } from './batch-queue.ts'
import { headerLine, keepOnce, listHeaders, sizeOf } from '#runtime/nats/kept-messages.ts'
import { DEAD_LETTERS, deadLetterSubject } from './storage.ts'

/** A batch that could not be processed, without its bytes. */
export interface DeadLetter extends BatchOrigin {
  /** Sequence among the dead letters. */
  place: number
  jobId: string
  /** Sequence among all batches. */
  sequence: number
  reason: string
  keptAt: Date
  bytes: number
}

/** The batches that could not be processed, kept until a person looks at them and replays them. */
export interface DeadLetters {
  /** Stores a batch once for its job; resolves when the server has acknowledged it. */
  keep(batch: QueuedBatch, reason: string): Promise<void>
  /** All dead letters in the order in which they were accepted. */
  list(): Promise<DeadLetter[]>
  /** The batch as it was accepted; undefined when it no longer exists. */
  text(letter: DeadLetter): Promise<string | undefined>
  remove(letter: DeadLetter): Promise<void>
}

const REASON = 'Driveaway-Reason'

export function deadLetters(client: JetStreamClient, manager: JetStreamManager): DeadLetters {
  return {
    keep: async (batch, reason) => {
      const headers = writeOrigin(batch)
      headers.set(REASON, headerLine(reason))
      await keepOnce(client, deadLetterSubject(batch.jobId), { payload: batch.text, headers })
    },
    list: async () => {
      const letters = (await listHeaders(client, DEAD_LETTERS)).map(toLetter)
      return letters.sort((one, other) => one.sequence - other.sequence)
    },
    text: async ({ place }) => (await manager.streams.getMessage(DEAD_LETTERS, { seq: place }))?.string(),
    remove: async ({ place }) => {
      await manager.streams.deleteMessage(DEAD_LETTERS, place)
    },
  }
}

function toLetter(message: JsMsg): DeadLetter {
  const { headers, subject, seq, time } = message
  const { sequence = 0, ...from } = readOrigin(headers)
  const reason = headers?.get(REASON) ?? ''
  return { ...from, sequence, reason, bytes: sizeOf(message), place: seq, jobId: jobIdOf(subject), keptAt: time }
}
