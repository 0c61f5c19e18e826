import { RequestError, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '#runtime/log.ts'

/** What a client has among the vehicles. */
export interface ClientVehicles {
  entries: number
  bytes: number
  /** Bytes of each of the vehicles that were asked for; 0 of one that is not stored. */
  each: readonly number[]
}

/** Asks what a client has, by its token in subjects, and how large these of its vehicles are; undefined when nobody answers. */
export type AskVehicles = (token: string, keys: readonly string[]) => Promise<ClientVehicles | undefined>

/** Where workers answer: the API may not read vehicles. */
export const VEHICLE_BYTES = 'vehicle-bytes'

/** Milliseconds for which an upload waits for an answer, and for which nobody is asked about a client after there was none. */
const ANSWER_MS = 1_000
const SILENT_MS = 10_000

export function askWorkers(connection: NatsConnection, log?: Logger): AskVehicles {
  const silentTill = new Map<string, number>()
  let isTold = false
  const giveUp = (token: string, error: unknown) => {
    silentTill.set(token, performance.now() + SILENT_MS)
    if (!isTold)
      log?.warn({ err: error }, 'no worker has said how many bytes of vehicles a client has; average ones count')
    isTold = true
  }
  return async (token, keys) => {
    if (performance.now() < (silentTill.get(token) ?? 0)) return undefined
    silentTill.delete(token)
    try {
      const subject = `${VEHICLE_BYTES}.${token}`
      const answer = await connection.request(subject, JSON.stringify(keys), { timeout: ANSWER_MS })
      const counted = answer.json<ClientVehicles | null>()
      if (!counted) throw new Error('the worker cannot count them; its log says why')
      isTold = false
      return counted
    } catch (error) {
      // Without workers there is an answer at once, and nothing is stored.
      if (error instanceof RequestError && error.isNoResponders()) return undefined
      // The first count of a client that has many may take longer, or a login lacks a right.
      giveUp(token, error)
      return undefined
    }
  }
}
