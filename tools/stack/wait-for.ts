import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Milliseconds in all. Default 30,000: a busy machine is slow, and only what fails waits for all of it. */
  timeoutMs?: number
  /** Milliseconds between two tries. Default 50. */
  everyMs?: number
  signal?: AbortSignal
}

/**
 * Tries `attempt` until it returns something other than undefined or false, and returns that. After the timeout the
 * error says what was waited for, how long, and what the last try threw.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, everyMs = 50, signal } = options
  const deadline = performance.now() + timeoutMs
  let last: unknown
  do {
    try {
      const value = await attempt()
      if (value !== undefined && value !== false) return value
      last = undefined
    } catch (error) {
      last = error
    }
    await sleep(everyMs, undefined, { signal })
  } while (performance.now() < deadline)
  const reason = last === undefined ? '' : `: ${describe(last)}`
  throw new Error(`Waited ${timeoutMs} ms in vain for ${what}${reason}`, { cause: last })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch says only "fetch failed" and keeps the reason in its cause.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
