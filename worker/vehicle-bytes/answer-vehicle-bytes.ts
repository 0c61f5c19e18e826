import { setTimeout as sleep } from 'node:timers/promises'
import type { Msg } from '@nats-io/transport-node'
import { VEHICLE_BYTES } from '#inventory/client-vehicles.ts'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { Work } from '../work.ts'
import { createVehicleCounts } from './vehicle-counts.ts'

/** Workers share the questions. */
const GROUP = 'workers'
/** Milliseconds between two looks whether the store was opened on another connection. */
const LOOK_MS = 500

export interface AnsweringServices {
  store: () => InventoryStore | undefined
  log: Logger
}

/** Answers the API's question how many bytes of vehicles a client has, until it is stopped. */
export function answerVehicleBytes({ store, log }: AnsweringServices): Work {
  const leaving = new AbortController()
  const counts = createVehicleCounts(() => performance.now())
  const answer = async (message: Msg, { manager }: InventoryStore) => {
    try {
      const token = message.subject.slice(VEHICLE_BYTES.length + 1)
      message.respond(JSON.stringify(await counts.of(manager, token, message.json<string[]>())))
    } catch (error) {
      // The API counts average vehicles.
      log.warn({ err: error }, 'cannot count the vehicles of a client')
    }
  }
  const subscribe = (opened: InventoryStore) =>
    opened.connection.subscribe(`${VEHICLE_BYTES}.*`, {
      queue: GROUP,
      callback: (error, message) => {
        if (error) log.warn({ err: error }, 'may not answer how many bytes of vehicles a client has')
        else void answer(message, opened)
      },
    })
  const following = follow(store, subscribe, leaving.signal)
  return {
    stop: async () => {
      leaving.abort()
      await following
    },
  }
}

/** Subscribes on each connection with which the store is opened. */
async function follow(
  store: () => InventoryStore | undefined,
  subscribe: (opened: InventoryStore) => { unsubscribe(): void },
  signal: AbortSignal,
): Promise<void> {
  let followed: InventoryStore | undefined
  let subscription: { unsubscribe(): void } | undefined
  while (!signal.aborted) {
    const opened = store()
    if (opened && opened !== followed) {
      subscription?.unsubscribe()
      subscription = subscribe(opened)
      followed = opened
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  subscription?.unsubscribe()
}
