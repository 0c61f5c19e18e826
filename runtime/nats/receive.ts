import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, type Consumer, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../log.ts'

/** The receiver of messages. */
export interface Intake {
  /** How many more messages it can take. */
  room(): number
  take(message: JsMsg): void
}

export interface Source {
  /** The connection, while it is open and the storage is as declared. */
  connection: () => NatsConnection | undefined
  stream: string
  /** The durable consumer. */
  consumer: string
  /** Ensures that the stream and its consumer exist. */
  repair: () => Promise<void>
}

export interface ReceivingServices {
  source: Source
  log: Logger
  signal: AbortSignal
}

const NO_CONNECTION_MS = 200
const FAILURES_TILL_REPAIR = 3
const NO_ROOM_MS = 50
/** How long the server keeps a pull request open; its heartbeats within that time show that it is alive. */
const EXPIRES_MS = 5_000

/** Pulls messages from the server while there is room for them, until the signal aborts; never rejects. */
export async function receive(intake: Intake, services: ReceivingServices): Promise<void> {
  const { source, signal } = services
  const consumers = new Consumers(source)
  let failures = 0
  while (!signal.aborted) {
    const connection = source.connection()
    if (!connection) await pause(NO_CONNECTION_MS, signal)
    else if (intake.room() === 0) await pause(NO_ROOM_MS, signal)
    else {
      const error = await pull(intake, consumers.on(connection), signal).catch(
        (thrown: unknown) => thrown ?? 'no reason',
      )
      failures = error === undefined ? 0 : failures + 1
      if (error !== undefined) await recover(error, failures, services)
    }
  }
}

/**
 * Waits after a failed request. A failed request loses nothing, because undelivered messages come again; a missing
 * consumer is created again.
 */
async function recover(error: unknown, failures: number, { log, source, signal }: ReceivingServices): Promise<void> {
  if (failures % FAILURES_TILL_REPAIR === 0 && !signal.aborted) {
    log.warn({ err: error, failures }, 'cannot receive messages; checking the stream and its consumer')
    await source.repair().catch((thrown: unknown) => log.warn({ err: thrown }, 'the storage differs from its declaration'))
  }
  await pause(NO_CONNECTION_MS, signal)
}

async function pull(intake: Intake, consumer: Promise<Consumer>, signal: AbortSignal): Promise<void> {
  const messages = await (await consumer).fetch({ max_messages: intake.room(), expires: EXPIRES_MS })
  const stop = () => messages.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const message of messages) intake.take(message)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

class Consumers {
  readonly #source: Source
  readonly #known = new WeakMap<NatsConnection, Promise<Consumer>>()

  constructor(source: Source) {
    this.#source = source
  }

  on(connection: NatsConnection): Promise<Consumer> {
    const { stream, consumer } = this.#source
    const known = this.#known.get(connection) ?? jetstream(connection).consumers.get(stream, consumer)
    this.#known.set(connection, known)
    known.catch(() => this.#known.delete(connection))
    return known
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
