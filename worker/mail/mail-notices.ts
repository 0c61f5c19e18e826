import type { JsMsg } from '@nats-io/jetstream'
import { ACK_WAIT_MS, clientOf, MAILER, DUE_CLIENTS } from '#notices/storage.ts'
import type { NoticeStore } from '#notices/store.ts'
import { receive } from '#runtime/nats/receive.ts'
import { endMessage, type MessageOutcome } from '../outcome.ts'
import type { Work } from '../work.ts'
import { handleDue } from './handle-due.ts'
import type { NoticeServices } from './handling.ts'

export interface MailingServices extends Omit<NoticeServices, 'store' | 'signal'> {
  store: () => NoticeStore | undefined
  /** Ensures that the stream and its consumer exist. */
  repair: () => Promise<void>
  /** Clients that are mailed at once. */
  atOnce: number
}

/** Milliseconds between two signs of life for a client in progress. */
const SIGN_OF_LIFE_MS = ACK_WAIT_MS / 3

/** Receives due clients and mails what waits for them, until it is stopped. */
export function startMailing(services: MailingServices): Work {
  const round = new Round(services)
  const { store, repair, log } = services
  const receiving = receive(round, {
    source: { connection: () => store()?.connection, stream: DUE_CLIENTS, consumer: MAILER, repair },
    log,
    signal: round.leaving.signal,
  })
  const alive = setInterval(() => round.showLife(), SIGN_OF_LIFE_MS)
  return {
    stop: async (graceMs) => {
      round.leaving.abort()
      await receiving
      const late = setTimeout(() => round.stopping.abort(new Error('the worker is stopping')), graceMs)
      await round.idle()
      clearTimeout(late)
      clearInterval(alive)
    },
  }
}

interface Held {
  message: JsMsg
  work: Promise<void>
}

class Round {
  /** Aborts when nothing new is to be taken. */
  readonly leaving = new AbortController()
  /** Aborts when mails in progress are to be abandoned. */
  readonly stopping = new AbortController()
  readonly #services: MailingServices
  /** Mails in progress, by sequence. */
  readonly #inHand = new Map<number, Held>()

  constructor(services: MailingServices) {
    this.#services = services
  }

  room(): number {
    return Math.max(0, this.#services.atOnce - this.#inHand.size)
  }

  take(message: JsMsg): void {
    const known = this.#inHand.get(message.seq)
    // Delivered again while in progress, because a sign of life came too late: the next sign of life covers this
    // delivery too.
    if (known) return void (known.message = message)
    const delivery: Held = { message, work: Promise.resolve() }
    this.#inHand.set(message.seq, delivery)
    delivery.work = this.#send(delivery)
  }

  showLife(): void {
    for (const { message } of this.#inHand.values()) this.#tell(() => message.working())
  }

  async idle(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all([...this.#inHand.values()].map(({ work }) => work))
  }

  async #send(delivery: Held): Promise<void> {
    const outcome = await this.#outcomeOf(delivery.message)
    const { message } = delivery
    this.#inHand.delete(message.seq)
    if (outcome.end === 'ack') await this.#end(message)
    else this.#tell(() => endMessage(message, outcome))
  }

  /**
   * The client is no longer due. A notice that was put meanwhile found it due and did not mark it, so it is marked now.
   */
  async #end(message: JsMsg): Promise<void> {
    const { store, log } = this.#services
    try {
      await message.ackAck()
      const client = clientOf(message.subject)
      const { mailbox } = (await store()?.mailboxes.read(client)) ?? {}
      if (mailbox?.waiting) await store()?.markDue(client)
    } catch (error) {
      log.debug({ err: error }, 'could not tell whether a client is still due; the operator will mark the client again')
    }
  }

  async #outcomeOf(message: JsMsg): Promise<MessageOutcome> {
    const store = this.#services.store()
    if (!store) return { end: 'nak', why: 'the store is not reachable', afterMs: 1_000 }
    return handleDue(message, { ...this.#services, store, signal: this.stopping.signal })
  }

  #tell(say: () => void): void {
    try {
      say()
    } catch (error) {
      // Its connection is closed: without further signs of life, the server gives the notice to another worker.
      this.#services.log.debug({ err: error }, 'could not acknowledge a message')
    }
  }
}
