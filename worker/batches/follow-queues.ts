import { setTimeout as sleep } from 'node:timers/promises'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'

export interface FollowingServices {
  store: () => InventoryStore | undefined
  /** Ensures that the storage exists as declared. */
  repair: () => Promise<void>
  log: Logger
  signal: AbortSignal
  /** A batch of this client was stored. */
  told: (token: string) => void
  /** The number of batches of each client in the stream. */
  listed: (counts: ReadonlyMap<string, number>) => void
}

const NO_STORE_MS = 200
const FAILURES_TILL_REPAIR = 3
/**
 * Interval between lists, which find what was not reported; longer when a list takes long. A list may also take long because the
 * server stood still, so there is a limit.
 */
const LIST_EVERY_MS = 5_000
const REST_PER_LISTING = 50
const LONGEST_REST_MS = 15_000

/** Follows which clients have batches until the signal aborts; never rejects. */
export async function followQueues(services: FollowingServices): Promise<void> {
  const { store, signal, told } = services
  let followed: InventoryStore | undefined
  let unfollow: (() => void) | undefined
  let failures = 0
  let missed = new AbortController()
  while (!signal.aborted) {
    missed = new AbortController()
    const opened = store()
    if (opened && opened !== followed) {
      unfollow?.()
      unfollow = opened.clientQueues.follow(told, () => missed.abort())
      followed = opened
    }
    const restMs = opened ? await list(opened, services) : NO_STORE_MS
    failures = restMs === undefined ? failures + 1 : 0
    if (failures > 0 && failures % FAILURES_TILL_REPAIR === 0) await repairStorage(services)
    const ends = AbortSignal.any([signal, missed.signal])
    await sleep(restMs ?? NO_STORE_MS, undefined, { signal: ends }).catch(() => undefined)
  }
  unfollow?.()
}

/** Milliseconds until the next list; undefined when there was no answer. */
async function list({ clientQueues }: InventoryStore, { log, listed }: FollowingServices): Promise<number | undefined> {
  const start = performance.now()
  try {
    listed(await clientQueues.list())
    const restMs = (performance.now() - start) * REST_PER_LISTING
    return Math.min(Math.max(LIST_EVERY_MS, restMs), LONGEST_REST_MS)
  } catch (error) {
    log.debug({ err: error }, 'could not list the batches')
    return undefined
  }
}

async function repairStorage({ repair, log }: FollowingServices): Promise<void> {
  log.warn('cannot receive batches; checking the storage')
  await repair().catch((thrown: unknown) => log.warn({ err: thrown }, 'the storage differs from its declaration'))
}
