import { oneAfterTheOther } from '#runtime/one-after-the-other.ts'
import type { LateFill, LateMessages } from './late-messages.ts'
import { lateAgainSubject } from './storage.ts'

/** Share of the stream's bytes that may be used, as of other stores. */
const USABLE = 0.95

/** What is known of the messages of one client. */
export interface KnownBytes {
  /** Removes what is outdated of the client, so that the rest is known. */
  look(clientId: string): Promise<unknown>
  /** Bytes of a client's messages; those that nobody here knows count as average ones. */
  bytesOf(clientId: string, averageBytes: number): Promise<number>
}

/** The order of a further attempt may be longer. */
const LITTLE = 128

/** A message of a client, and what stores it and removes those that it replaces; `fill` is that of the client's second subject. */
export interface SharedMessage {
  clientId: string
  bytes: number
  /** Bytes of those that it replaces. */
  replaces: number
  store(fill: LateFill): Promise<boolean>
}

/** Whether a message needs no further room once those that it replaces are removed. */
const isReplacement = ({ bytes, replaces }: SharedMessage): boolean => replaces > 0 && bytes - replaces <= LITTLE

/**
 * Divides the bytes of the stream between clients: none has more of what may be used than it leaves to all others. The server
 * bounds the messages of a client, and 2,000 large ones would fill the stream.
 */
export class LateShare {
  readonly #messages: Pick<LateMessages, 'fill'>
  readonly #known: KnownBytes
  /** Bytes of the messages of this process that may be stored soon. */
  #coming = 0
  /** Messages that are compared with the stream at once do not count each other, and replacements need room for a moment. */
  readonly #inTurn = oneAfterTheOther()

  constructor(messages: Pick<LateMessages, 'fill'>, known: KnownBytes) {
    this.#messages = messages
    this.#known = known
  }

  /** Stores a message if its client has room for it; whether it is stored. */
  async keep(message: SharedMessage): Promise<boolean> {
    this.#coming += message.bytes
    try {
      const fill = await this.#fillFor(message)
      if (fill.bytes + this.#coming <= fill.mostBytes / 2) return await message.store(fill)
      if (!isReplacement(message)) await this.#known.look(message.clientId)
      return await this.#inTurn(() => this.#keepWithin(message))
    } finally {
      this.#coming -= message.bytes
    }
  }

  async #keepWithin(message: SharedMessage): Promise<boolean> {
    const fill = await this.#fillFor(message)
    const bytes = message.bytes - message.replaces
    // Below half, a client leaves as much as it has, whatever it has. A replacement is kept whatever others have stored since.
    if (fill.bytes + bytes <= fill.mostBytes / 2 || isReplacement(message)) return message.store(fill)
    const own = await this.#known.bytesOf(message.clientId, fill.bytes / (fill.messages || 1))
    // What was judged since the last look is still known, and is in the stream no more.
    if (Math.min(own, fill.bytes) + bytes > fill.mostBytes * USABLE - fill.bytes) return false
    return message.store(fill)
  }

  #fillFor({ clientId }: SharedMessage): Promise<LateFill> {
    return this.#messages.fill(lateAgainSubject(clientId))
  }
}
