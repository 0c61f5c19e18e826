import type { JetStreamManager, NextMsgRequest, SeqMsgRequest } from '@nats-io/jetstream'
import { isMessageMissing } from '#runtime/nats/jetstream-error.ts'
import { readLateVehicle, type LateName, type LateVehicle } from './late-vehicle.ts'
import { lateAgainSubject, LATE_PICTURES, latePicturesSubject } from './storage.ts'

/** Late pictures in the stream, by the sequence of their message. */
export interface LatePlace {
  sequence: number
  late: LateName
  bytes: number
}

/** Without the pictures: many places are remembered, and pictures are long. */
export function latePlace(
  { client_id, source_id, job_id, order }: LateVehicle,
  sequence: number,
  bytes: number,
): LatePlace {
  return { sequence, late: { client_id, source_id, job_id, order }, bytes }
}

/** How full the stream is, and how many messages one subject of it has. */
export interface LateFill {
  bytes: number
  mostBytes: number
  messages: number
  ofSubject: number
}

/** What nats-server adds to the subject and the text of a message. */
const FRAME = 30

/** Bytes of a message, as the server counts them. */
export const bytesOfMessage = (subject: string, textBytes: number): number => subject.length + textBytes + FRAME

/** The messages of late pictures in their stream. */
export class LateMessages {
  readonly #manager: JetStreamManager

  constructor(manager: JetStreamManager) {
    this.#manager = manager
  }

  /** How many the server has of a client. */
  async countOf(clientId: string): Promise<number> {
    const counts = await Promise.all(subjectsOf(clientId).map((subject) => this.countIn(subject)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async countIn(subject: string): Promise<number> {
    return (await this.fill(subject)).ofSubject
  }

  async fill(subject: string): Promise<LateFill> {
    const { config, state } = await this.#manager.streams.info(LATE_PICTURES, { subjects_filter: subject })
    const { bytes, messages } = state
    return { bytes, messages, mostBytes: config.max_bytes, ofSubject: state.subjects?.[subject] ?? 0 }
  }

  /** All of a client, message by message, because the stream is a work queue, which has one consumer. */
  async of(clientId: string): Promise<LatePlace[]> {
    return (await Promise.all(subjectsOf(clientId).map((subject) => this.#in(subject)))).flat()
  }

  async has(sequence: number): Promise<boolean> {
    return (await this.#manager.streams.getMessage(LATE_PICTURES, { seq: sequence })) !== null
  }

  async remove(sequence: number): Promise<void> {
    // Another worker may have removed it, or judged its pictures.
    await this.#manager.streams.deleteMessage(LATE_PICTURES, sequence, false).catch((error: unknown) => {
      if (!isMessageMissing(error)) throw error
    })
  }

  async #in(subject: string): Promise<LatePlace[]> {
    const places: LatePlace[] = []
    for (let next = 1; ;) {
      const query: SeqMsgRequest & NextMsgRequest = { seq: next, next_by_subj: subject }
      const message = await this.#manager.streams.getMessage(LATE_PICTURES, query)
      if (!message) return places
      next = message.seq + 1
      const late = readLateVehicle(message.string())
      const bytes = bytesOfMessage(subject, message.data.length)
      if (late) places.push(latePlace(late, message.seq, bytes))
    }
  }
}

const subjectsOf = (clientId: string): string[] => [latePicturesSubject(clientId), lateAgainSubject(clientId)]
