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

/** What a client had in a bucket when a worker answered last. */
export type FormerBytes = Omit<ClientBytes, 'each'> & { each?: undefined }

/**
 * Asks what a client has in a bucket, by its token in subjects, and how large these of its entries are, by the rest of their keys.
 * When nobody answers, resolves to what was answered last, or to undefined.
 */
export type AskBytes = (
  bucket: Counted,
  token: string,
  keys: readonly string[],
) => Promise<ClientBytes | FormerBytes | undefined>

/** Where workers answer, before the bucket and the client: the API may not read vehicles, and nats-server counts messages. */
export const STORED_BYTES = 'stored-bytes'

/** Milliseconds for which an upload waits for an answer, and for which nobody is asked about a client after there was none. */
const ANSWER_MS = 1_000
const SILENT_MS = 10_000
/** Answers that are remembered, each for one client and bucket. */
const MOST_REMEMBERED = 10_000

export function askWorkers(connection: NatsConnection, log?: Logger, remembered = MOST_REMEMBERED): AskBytes {
  const silentTill = new Map<string, number>()
  const former = rememberLast<FormerBytes>(remembered)
  let isTold = false
  const giveUp = (subject: string, error: unknown) => {
    silentTill.set(subject, performance.now() + SILENT_MS)
    if (!isTold)
      log?.warn(
        { err: error },
        'no worker has said how many bytes a client has stored; its last count or average ones stand for them',
      )
    isTold = true
  }
  return async (bucket, token, keys) => {
    const subject = `${STORED_BYTES}.${bucket}.${token}`
    if (performance.now() < (silentTill.get(subject) ?? 0)) return former.get(subject)
    silentTill.delete(subject)
    try {
      const answer = await connection.request(subject, JSON.stringify(keys), { timeout: ANSWER_MS })
      const counted = answer.json<ClientBytes | null>()
      if (!counted) throw new Error('the worker cannot count them; its log says why')
      isTold = false
      former.set(subject, { entries: counted.entries, bytes: counted.bytes })
      return counted
    } catch (error) {
      // Without workers there is an answer at once, and nothing is stored. The first count of a client that has many may take longer, or a
      // login lacks a right.
      if (!(error instanceof RequestError && error.isNoResponders())) giveUp(subject, error)
      return former.get(subject)
    }
  }
}

/** A map of at most so many entries, those that were set last. */
function rememberLast<T>(most: number): { get(key: string): T | undefined; set(key: string, value: T): void } {
  const last = new Map<string, T>()
  return {
    get: (key) => last.get(key),
    set: (key, value) => {
      last.delete(key)
      last.set(key, value)
      const [oldest] = last.keys()
      if (last.size > most && oldest !== undefined) last.delete(oldest)
    },
  }
}
