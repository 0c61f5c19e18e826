import { parseAddress } from '#inventory/parse-address.ts'
import { unavailable } from './image-fault.ts'

export interface FailingSourceLimits {
  /** Number of consecutive failures of one source. */
  failures: number
  /** Milliseconds for which the source is then not asked. */
  restMs: number
}

/**
 * Remembers for each client which sources do not answer, so that five hundred pictures of a server that is down cost
 * the time of a few.
 */
export interface FailingSources {
  /** Throws an `ImageFault` while the source is not asked. */
  check(clientId: string, src: string): void
  tell(clientId: string, src: string, isAvailable: boolean): void
}

const MOST_REMEMBERED = 10_000

/** Remembers sources by client and host; `clock` returns milliseconds. */
export function createFailingSources({ failures, restMs }: FailingSourceLimits, clock: () => number): FailingSources {
  const known = new Map<string, { failed: number; until: number }>()
  return {
    check: (clientId, src) => {
      const source = known.get(keyOf(clientId, src))
      if (!source || source.failed < failures || source.until <= clock()) return
      throw unavailable('The source did not answer for several pictures; the worker paused its requests to the source.')
    },
    tell: (clientId, src, isAvailable) => {
      const key = keyOf(clientId, src)
      const failed = (known.get(key)?.failed ?? 0) + 1
      known.delete(key)
      if (isAvailable) return
      known.set(key, { failed, until: clock() + restMs })
      const [oldest] = known.keys()
      if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest)
    },
  }
}

const keyOf = (clientId: string, src: string): string => JSON.stringify([clientId, parseAddress(src)?.host ?? ''])
