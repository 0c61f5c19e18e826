import type { LastOfBatch } from './publish-together.ts'
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
  /** Asks the server, and forgets what it may not have any more. False in a pause: nothing is to be recalled. */
  review(): Promise<boolean>
  /** The last message of each of these subjects; undefined unless all of them are known. */
  recall(subjects: Iterable<string>): Map<string, LastMessage> | undefined
  /** After a batch was stored; `mark` is its last message. */
  note(messages: ReadonlyMap<string, LastMessage>, mark: LastOfBatch): void
  /** Says whether the server had what was recalled: where several workers share the batches of a client, it rarely has. */
  wasRight(isRight: boolean): void
}

/** Vehicles that are remembered, in 10 megabytes where their names are short, in 25 where they are long. */
const MOST = 50_000
/** Most batches for which nothing is remembered after one that was recalled in vain. */
const LONGEST_PAUSE = 64

/** Messages that a stream has, or has replaced, if it has the one of the mark. */
interface Group {
  mark: LastOfBatch
  messages: ReadonlyMap<string, LastMessage>
}

/**
 * Remembers what was written while the server has the mark, which `isStored` asks for. Sequences start again in a stream that is
 * made again, and go back in one that is restored. Each batch is remembered with a mark of its own; only when the server has the
 * marks of two at the same time do both belong to one history of the stream.
 */
export function createLastWritten(isStored: (mark: LastOfBatch) => Promise<boolean>, most = MOST): LastWritten {
  return new Remembered(isStored, most)
}

class Remembered implements LastWritten {
  readonly #isStored: (mark: LastOfBatch) => Promise<boolean>
  readonly #most: number
  /** What the server had when it was asked last. */
  #mark: LastOfBatch | undefined
  #newer = new Map<string, LastMessage>()
  #older = new Map<string, LastMessage>()
  /** What was stored since. */
  #unasked: Group[] = []
  #asking: Promise<void> | undefined
  #pause = 0
  #left = 0

  constructor(isStored: (mark: LastOfBatch) => Promise<boolean>, most: number) {
    this.#isStored = isStored
    this.#most = most
  }

  async review(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1
      return false
    }
    // Batches at the same time share the question.
    await (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)))
    return this.#left === 0
  }

  recall(subjects: Iterable<string>): Map<string, LastMessage> | undefined {
    const found = new Map<string, LastMessage>()
    for (const subject of subjects) {
      const message = this.#newer.get(subject) ?? this.#older.get(subject)
      if (!message) return undefined
      found.set(subject, message)
    }
    return found
  }

  note(messages: ReadonlyMap<string, LastMessage>, mark: LastOfBatch): void {
    if (this.#left === 0) this.#unasked.push({ mark, messages })
  }

  wasRight(isRight: boolean): void {
    this.#pause = isRight ? 0 : Math.min(LONGEST_PAUSE, this.#pause * 2 || 1)
    this.#left = this.#pause
    if (isRight) return
    this.#forget()
    this.#unasked = []
  }

  #forget(): void {
    this.#mark = undefined
    this.#newer = new Map()
    this.#older = new Map()
  }

  async #ask(): Promise<void> {
    const [mark, groups] = [this.#mark, this.#unasked]
    if (!mark && groups.length === 0) return
    const marks = [...(mark ? [mark] : []), ...groups.map((group) => group.mark)]
    const stored = new Set<LastOfBatch>()
    await Promise.all(marks.map(async (each) => void ((await this.#isStored(each)) && stored.add(each))))
    // Another batch was recalled in vain meanwhile.
    if (this.#unasked !== groups) return
    this.#unasked = groups.slice(marks.length - (mark ? 1 : 0))
    if (stored.size === 0) return this.wasRight(false)
    if (!mark || !stored.has(mark)) this.#forget()
    for (const group of groups) if (stored.has(group.mark)) this.#add(group)
  }

  #add({ mark, messages }: Group): void {
    if (mark.sequence > (this.#mark?.sequence ?? 0)) this.#mark = mark
    for (const [subject, message] of messages) {
      if (this.#newer.size >= this.#most / 2) [this.#newer, this.#older] = [new Map(), this.#newer]
      // Batches at the same time may be noted in another order than they were stored.
      if (message.sequence > (this.#newer.get(subject)?.sequence ?? 0)) this.#newer.set(subject, message)
    }
  }
}
