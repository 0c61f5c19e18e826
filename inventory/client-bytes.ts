import { RequestError, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '#runtime/log.ts'
import type { BUCKETS } from './storage.ts'

/** Buckets of which workers count what a client has. */
export type Counted = (typeof BUCKETS)['jobs' | 'vehicles']

/** What a client has in a bucket. */
export interface ClientBytes {
  entries: number
  bytes: number
  /** Bytes of each of the entries that were asked for; 0 of one that is not stored. */
  each: readonly number[]
}

/**
 * Asks what a client has in a bucket, by its token in subjects, and how large these of its entries are, by the rest of their keys;
 * undefined when nobody answers.
 */
export type AskBytes = (bucket: Counted, token: string, keys: readonly string[]) => Promise<ClientBytes | undefined>

/** Where workers answer, before the bucket and the client: the API may not read vehicles, and nats-server counts messages. */
export const STORED_BYTES = 'stored-bytes'

/** Milliseconds for which an upload waits for an answer, and for which nobody is asked about a client after there was none. */
const ANSWER_MS = 1_000
const SILENT_MS = 10_000

export function askWorkers(connection: NatsConnection, log?: Logger): AskBytes {
  const silentTill = new Map<string, number>()
  let isTold = false
  const giveUp = (subject: string, error: unknown) => {
    silentTill.set(subject, performance.now() + SILENT_MS)
    if (!isTold) log?.warn({ err: error }, 'no worker has said how many bytes a client has stored; average ones count')
    isTold = true
  }
  return async (bucket, token, keys) => {
    const subject = `${STORED_BYTES}.${bucket}.${token}`
    if (performance.now() < (silentTill.get(subject) ?? 0)) return undefined
    silentTill.delete(subject)
    try {
      const answer = await connection.request(subject, JSON.stringify(keys), { timeout: ANSWER_MS })
      const counted = answer.json<ClientBytes | null>()
      if (!counted) throw new Error('the worker cannot count them; its log says why')
      isTold = false
      return counted
    } catch (error) {
      // Without workers there is an answer at once, and nothing is stored.
      if (error instanceof RequestError && error.isNoResponders()) return undefined
      // The first count of a client that has many may take longer, or a login lacks a right.
      giveUp(subject, error)
      return undefined
    }
  }
}
