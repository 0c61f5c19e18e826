import ipaddr from 'ipaddr.js'
import { createRecent } from './recent.ts'

/** Who failed to get a token: the client id that the request named, if any, and its address. */
export interface Failed {
  client: string | undefined
  address: string
}

/** Counts failed token requests. */
export interface FailureThrottle {
  /**
   * Counts a failure. Returns the seconds to wait when the client or the address has had too many failures, else
   * undefined.
   */
  failed(failed: Failed): number | undefined
}

export interface ThrottleLimits {
  /** Failures a minute that are answered with their reason. */
  perClient: number
  perAddress: number
  /**
   * Number of clients, and of addresses, that are counted at once; the one whose last failure is oldest is forgotten
   * first.
   */
  most: number
}

const MINUTE_MS = 60_000
const LIMITS: ThrottleLimits = { perClient: 30, perAddress: 120, most: 10_000 }

/** Client names are no longer than this; all longer names are counted as one. */
const LONGEST_NAME = 253

/** Creates the throttle of one process; `clock` returns milliseconds since the epoch. */
export function createFailureThrottle(clock: () => number, limits: Partial<ThrottleLimits> = {}): FailureThrottle {
  const { perClient, perAddress, most } = { ...LIMITS, ...limits }
  const clients = createCounts(perClient, most)
  const addresses = createCounts(perAddress, most)
  return {
    failed: ({ client, address }) => {
      const now = clock()
      // Both counters are incremented, whichever is over its limit.
      const waits = [
        addresses(networkOf(address), now),
        client === undefined ? undefined : clients(nameOf(client), now),
      ]
      const longest = Math.max(...waits.map((wait) => wait ?? 0))
      return longest > 0 ? longest : undefined
    },
  }
}

/**
 * Counts per key in minutes that begin with the key's first failure; returns the seconds left when there are too many.
 */
function createCounts(limit: number, most: number): (key: string, now: number) => number | undefined {
  const counts = createRecent<{ failures: number; until: number }>(most)
  return (key, now) => {
    const known = counts.get(key)
    const count = known && known.until > now ? known : { failures: 0, until: now + MINUTE_MS }
    count.failures += 1
    if (count !== known) counts.set(key, count)
    return count.failures > limit ? Math.ceil((count.until - now) / 1000) : undefined
  }
}

const nameOf = (client: string) => (client.length > LONGEST_NAME ? '' : client)

/**
 * The network of an address: an IPv4 address itself, or the /64 of an IPv6 address, which belongs to one subscriber.
 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}
