import type { KV } from '@nats-io/kv'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'
import { minuteOf, secondsLeft, type RateVerdict } from '../http/rate-fields.ts'

/** How many requests a client may make, over all replicas, in a minute of UTC. */
export interface RateLimit {
  perMinute: number
  /** Number of replicas that serve; each allows its share while the common count is unreachable. */
  replicas: number
}

/** Counts one request of a client. */
export type RateLimiter = (clientId: string) => Promise<RateVerdict>

/** Requests that a replica leases from the common count at once. */
const BLOCK = 100

interface Account {
  /** Leased and unused. */
  left: number
  /** Leased by this replica. */
  granted: number
  /** Leased by all replicas, at the last read. */
  leased: number
  isExhausted: boolean
  leasing: Promise<void> | undefined
}

/**
 * Creates a limiter whose replicas lease blocks of requests from one count in a bucket by compare-and-set. Together the
 * replicas never allow more than the limit; the rest of their last blocks may go unused, fewer than 100 requests per
 * replica.
 */
export function createRateLimiter(limit: RateLimit, bucket: () => KV | undefined, clock: () => number): RateLimiter {
  let accounts = new Map<string, Account>()
  let minute = 0
  const openAccount = (clientId: string, now: number): Account => {
    if (now !== minute) [accounts, minute] = [new Map(), now]
    const account = accounts.get(clientId) ?? newAccount()
    accounts.set(clientId, account)
    return account
  }
  return async (clientId) => {
    const now = clock()
    const account = openAccount(clientId, minuteOf(now))
    const key = `${keyOf(clientId)}.${minute}`
    while (account.left === 0 && !account.isExhausted) {
      // One lease at a time; requests that wait for it check again afterwards.
      account.leasing ??= lease(account, key, limit, bucket()).finally(() => (account.leasing = undefined))
      await account.leasing
    }
    const allowed = account.left > 0
    if (allowed) account.left -= 1
    const remaining = Math.max(0, limit.perMinute - account.leased) + account.left
    return { allowed, remaining: allowed ? remaining : 0, resetSeconds: secondsLeft(now) }
  }
}

function newAccount(): Account {
  return { left: 0, granted: 0, leased: 0, isExhausted: false, leasing: undefined }
}

async function lease(account: Account, key: string, limit: RateLimit, bucket: KV | undefined): Promise<void> {
  const leased = bucket && (await leaseBlock(bucket, key, limit.perMinute).catch(() => undefined))
  const block = leased ? leased.block : ownShare(account, limit)
  account.leased = leased?.total ?? account.leased
  account.left += block
  account.granted += block
  account.isExhausted = block === 0
}

async function leaseBlock(bucket: KV, key: string, perMinute: number): Promise<{ block: number; total: number }> {
  for (;;) {
    const entry = await bucket.get(key)
    const stored = Number(entry?.string())
    // What is no count counts as none.
    const before = Number.isSafeInteger(stored) ? stored : 0
    const block = Math.min(BLOCK, perMinute - before)
    if (block <= 0) return { block: 0, total: before }
    try {
      await bucket.put(key, String(before + block), { previousSeq: entry?.revision ?? 0 })
      return { block, total: before + block }
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
}

function ownShare({ granted }: Account, { perMinute, replicas }: RateLimit): number {
  return Math.max(0, Math.floor(perMinute / replicas) - granted)
}
