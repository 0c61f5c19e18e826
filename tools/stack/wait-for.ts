import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Longest wait in milliseconds. Default 30,000: a busy machine is slow, and only a failure waits that long. */
  timeoutMs?: number
  /** Milliseconds between two attempts. Default: a tenth of the wait so far, at least 50 and at most 250. */
  everyMs?: number
  signal?: AbortSignal
}

/**
 * Repeats `attempt` until it returns a value other than undefined or false, and returns that value. After the timeout,
 * the error says what was awaited, for how long, and what the last attempt threw.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, everyMs, signal } = options
  const startedAt = performance.now()
  const deadline = startedAt + timeoutMs
  let last: unknown
  do {
    try {
      const value = await attempt()
      if (value !== undefined && value !== false) return value
      last = undefined
    } catch (error) {
      last = error
    }
    await sleep(everyMs ?? pauseAfter(performance.now() - startedAt), undefined, { signal })
  } while (performance.now() < deadline)
  const reason = last === undefined ? '' : `: ${describe(last)}`
  throw new Error(`Waited ${timeoutMs} ms in vain for ${what}${reason}`, { cause: last })
}

/** An attempt may be a process or ten requests: at every 50 ms, long waits took the processor from what they wait for. */
const pauseAfter = (waitedMs: number): number => Math.min(250, Math.max(50, waitedMs / 10))

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch only says "fetch failed"; its cause has the reason.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
