import type { LastOfBatch } from './publish-together.ts'
import type { VehicleOrder } from './vehicle-record.ts'

/** The last message of a subject: its sequence, and the order of its vehicle; no order where the vehicle was removed. */
export interface LastMessage {
  sequence: number
  order?: VehicleOrder | undefined
}

/** What one batch of this process knows, and what it adds. */
export interface Turn {
  /** The last message of each of these subjects; undefined unless all of them are known. */
  recall(subjects: Iterable<string>): Map<string, LastMessage> | undefined
  /** After the batch was stored; `mark` is its last message. */
  note(messages: ReadonlyMap<string, LastMessage>, mark: LastOfBatch): void
}

/**
 * The messages that this process was the last to write, as far as it knows. Others may have written since, so each is used as
 * the sequence that a write expects, and for nothing else: the server refuses a write that expects another one.
 */
export interface LastWritten {
  /** At the start of a batch: asks the server, and forgets everything where the server does not have what was stored. */
  begin(): Promise<Turn>
  /** Says whether the server had what was recalled: where several workers share the batches of a client, it rarely has. */
  wasRight(isRight: boolean): void
}

/** Vehicles that are remembered, in less than 10 megabytes. */
const MOST = 50_000
/** Most batches for which nothing is recalled after one that was recalled in vain. */
const LONGEST_PAUSE = 64
/** Milliseconds from the question to the note; after longer ones, only the new messages are known to be of one history. */
const LONGEST_TURN = 1000

/** Messages of one history of the stream: all of them are in the stream that has the message of the mark. */
interface Known {
  mark?: LastOfBatch
  newer: Map<string, LastMessage>
  older: Map<string, LastMessage>
}

const nothing = (): Known => ({ newer: new Map(), older: new Map() })

export interface LastWrittenOptions {
  now?: () => number
  most?: number
}

/**
 * Remembers what was written while the server has the mark, which `isStored` asks for. Sequences start again in a stream that is
 * made again, and go back in one that is restored: a stream without the mark is another one, or older than what is remembered.
 */
export function createLastWritten(
  isStored: (mark: LastOfBatch) => Promise<boolean>,
  options: LastWrittenOptions = {},
): LastWritten {
  return new Remembered(isStored, options)
}

class Remembered implements LastWritten {
  readonly #isStored: (mark: LastOfBatch) => Promise<boolean>
  readonly #now: () => number
  readonly #most: number
  #known = nothing()
  #pause = 0
  #left = 0

  constructor(isStored: (mark: LastOfBatch) => Promise<boolean>, { now = Date.now, most = MOST }: LastWrittenOptions) {
    this.#isStored = isStored
    this.#now = now
    this.#most = most
  }

  wasRight(isRight: boolean): void {
    this.#pause = isRight ? 0 : Math.min(LONGEST_PAUSE, this.#pause * 2 || 1)
    this.#left = this.#pause
    if (!isRight) this.#known = nothing()
  }

  async begin(): Promise<Turn> {
    const startedAt = this.#now()
    const after = await this.#askedMark()
    const own = this.#known
    const isPaused = this.#left > 0
    if (isPaused) this.#left -= 1
    return {
      recall: (subjects) => (isPaused ? undefined : recallIn(own, subjects)),
      note: (messages, mark) => {
        if (isPaused || this.#known !== own) return
        const ms = this.#now() - startedAt
        const isOneHistory = ms >= 0 && ms <= LONGEST_TURN && mark.sequence > (after?.sequence ?? 0)
        if (!isOneHistory) this.#known = nothing()
        this.#add(messages, mark)
      },
    }
  }

  /** The mark, once the server has said that it has it; undefined where nothing is known, or nothing is known any more. */
  async #askedMark(): Promise<LastOfBatch | undefined> {
    const own = this.#known
    const { mark } = own
    if (!mark || this.#left > 0) return mark
    const isStored = await this.#isStored(mark)
    // Another batch of this process may have replaced the message of the mark meanwhile, and set the next one.
    if (this.#known !== own || (!isStored && own.mark !== mark)) return this.#askedMark()
    if (!isStored) this.wasRight(false)
    return isStored ? mark : undefined
  }

  #add(messages: ReadonlyMap<string, LastMessage>, mark: LastOfBatch): void {
    const known = this.#known
    if (mark.sequence > (known.mark?.sequence ?? 0)) known.mark = mark
    for (const [subject, message] of messages) {
      if (known.newer.size >= this.#most / 2) [known.newer, known.older] = [new Map(), known.newer]
      // Batches at the same time may be noted in another order than they were stored.
      if (message.sequence > (known.newer.get(subject)?.sequence ?? 0)) known.newer.set(subject, message)
    }
  }
}

function recallIn({ newer, older }: Known, subjects: Iterable<string>): Map<string, LastMessage> | undefined {
  const found = new Map<string, LastMessage>()
  for (const subject of subjects) {
    const message = newer.get(subject) ?? older.get(subject)
    if (!message) return undefined
    found.set(subject, message)
  }
  return found
}
