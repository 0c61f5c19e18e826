import type { Context } from 'koa'
import { ApiError } from '../errors.ts'

/** What a request limit decides about one request, as far as this process knows. */
export interface RateVerdict {
  allowed: boolean
  /** Requests that the client has left. */
  remaining: number
  /** Seconds until the next minute of UTC. */
  resetSeconds: number
}

const MINUTE_MS = 60_000

/** Seconds from a time in milliseconds to the next minute of UTC. */
export const secondsLeft = (now: number) => Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000)

/** The number of the UTC minute of a time in milliseconds. */
export const minuteOf = (now: number) => Math.floor(now / MINUTE_MS)

/**
 * Sets the headers of a limit on an answer (draft-ietf-httpapi-ratelimit-headers-10); throws `code` beyond the limit.
 */
export function answerLimit(
  ctx: Context,
  code: 'RATE_LIMITED' | 'too_many_requests',
  perMinute: number,
  { allowed, remaining, resetSeconds }: RateVerdict,
): void {
  ctx.set('ratelimit-policy', `"client";q=${perMinute};w=60`)
  ctx.set('ratelimit', `"client";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  const message = `The limit is ${perMinute} requests per minute; the next minute begins in ${resetSeconds} seconds.`
  throw new ApiError(code, message, { headers: { 'retry-after': String(resetSeconds) } })
}
