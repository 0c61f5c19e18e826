import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, type Consumer, type JsMsg } from '@nats-io/jetstream'
import { readOrigin } from '#inventory/batch-queue.ts'
import { ACK_WAIT_MS, BATCHES, WORKER } from '#inventory/storage.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { Waiting } from './line.ts'

/** Where received messages go. */
export interface Intake {
  /** How many more may come. */
  room(): number
  take(entry: Waiting<JsMsg>): void
  /** Called while there is no room. */
  makeRoom(): void
}

export interface ReceivingServices {
  store: () => InventoryStore | undefined
  /** Sees to it that the stream and its consumer are there. */
  repair: () => Promise<void>
  log: Logger
  signal: AbortSignal
}

const NO_STORE_MS = 200
const FAILURES_TILL_REPAIR = 3
const NO_ROOM_MS = 50
/** How long the server keeps a request for messages; the server's own heartbeats within it show that it is alive. */
const EXPIRES_MS = 5_000

/** Takes messages from the server for as long as there is room for them, until the signal aborts; never rejects. */
export async function receive(intake: Intake, services: ReceivingServices): Promise<void> {
  const { store, signal } = services
  let failures = 0
  while (!signal.aborted) {
    const held = store()
    if (!held) await pause(NO_STORE_MS, signal)
    else if (intake.room() === 0) {
      intake.makeRoom()
      await pause(NO_ROOM_MS, signal)
    } else {
      const error = await pull(intake, held, signal).catch((thrown: unknown) => thrown ?? 'no reason')
      failures = error === undefined ? 0 : failures + 1
      if (error !== undefined) await recover(error, failures, services)
    }
  }
}

/** Nothing is lost by a request that fails, because what was delivered comes again; a consumer that is gone is made anew. */
async function recover(error: unknown, failures: number, { log, repair, signal }: ReceivingServices): Promise<void> {
  if (failures % FAILURES_TILL_REPAIR === 0 && !signal.aborted) {
    log.warn({ err: error, failures }, 'no messages can be had; looking at the stream and its consumer')
    await repair().catch((thrown: unknown) => log.warn({ err: thrown }, 'the storage is not as declared'))
  }
  await pause(NO_STORE_MS, signal)
}

async function pull(intake: Intake, held: InventoryStore, signal: AbortSignal): Promise<void> {
  const consumer = await consumerOf(held)
  const messages = await consumer.fetch({ max_messages: intake.room(), expires: EXPIRES_MS })
  const stop = () => messages.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const message of messages) intake.take(toEntry(message))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const consumers = new WeakMap<InventoryStore, Promise<Consumer>>()

function consumerOf(held: InventoryStore): Promise<Consumer> {
  const known = consumers.get(held) ?? jetstream(held.connection).consumers.get(BATCHES, WORKER)
  consumers.set(held, known)
  known.catch(() => consumers.delete(held))
  return known
}

function toEntry(message: JsMsg): Waiting<JsMsg> {
  const bytes = Number(message.headers?.get('Nats-Msg-Size') ?? 0)
  return { clientId: readOrigin(message.headers).clientId, bytes, value: message }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** Milliseconds between two signs of life for a message that is held. */
export const SIGN_OF_LIFE_MS = ACK_WAIT_MS / 3
