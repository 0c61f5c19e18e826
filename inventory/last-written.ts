import type { VehicleOrder } from './vehicle-record.ts'

/** The last message of a subject: its sequence, and the order of its vehicle; no order where the vehicle was removed. */
export interface LastMessage {
  sequence: number
  order?: VehicleOrder | undefined
}

/**
 * The messages that this process was the last to write, as far as it knows. Others may have written since, so each is used as
 * the sequence that a write expects, and for nothing else: the server refuses a write that expects another one.
 */
export interface LastWritten {
  /** Undefined unless all of the subjects are known, and while others write the same vehicles. */
  recall(subjects: Iterable<string>): Map<string, LastMessage> | undefined
  note(subject: string, message: LastMessage): void
  /** Says whether the server had what was recalled: where several workers share the batches of a client, it rarely has. */
  wasRight(isRight: boolean): void
}

/** Vehicles that are remembered, in less than 10 megabytes. */
const MOST = 50_000
/** Most batches for which nothing is recalled after one that was recalled in vain. */
const LONGEST_PAUSE = 64

/**
 * Remembers what was written on one connection to the server: on the next one, the server may be another, or have the data
 * of another day.
 */
export function createLastWritten(connectionId: () => unknown, most = MOST): LastWritten {
  let [newer, older] = [new Map<string, LastMessage>(), new Map<string, LastMessage>()]
  let [pause, left] = [0, 0]
  let current = connectionId()
  const forgetOtherConnection = () => {
    if (current === connectionId()) return
    ;[newer, older, current] = [new Map(), new Map(), connectionId()]
  }
  return {
    recall: (subjects) => {
      forgetOtherConnection()
      if (left > 0) {
        left -= 1
        return undefined
      }
      const found = new Map<string, LastMessage>()
      for (const subject of subjects) {
        const message = newer.get(subject) ?? older.get(subject)
        if (!message) return undefined
        found.set(subject, message)
      }
      return found
    },
    note: (subject, message) => {
      forgetOtherConnection()
      if (newer.size >= most / 2) [newer, older] = [new Map(), newer]
      newer.set(subject, message)
    },
    wasRight: (isRight) => {
      pause = isRight ? 0 : Math.min(LONGEST_PAUSE, pause * 2 || 1)
      left = pause
    },
  }
}
