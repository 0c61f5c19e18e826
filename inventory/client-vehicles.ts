import type { NatsConnection } from '@nats-io/transport-node'

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

/** Milliseconds for which an upload waits for an answer. */
const ANSWER_MS = 1_000

export function askWorkers(connection: NatsConnection): AskVehicles {
  return async (token, keys) => {
    try {
      const answer = await connection.request(`${VEHICLE_BYTES}.${token}`, JSON.stringify(keys), { timeout: ANSWER_MS })
      return answer.json<ClientVehicles>()
    } catch {
      // No worker runs, or it is busy with the first count of a client that has many.
      return undefined
    }
  }
}
