import { setTimeout as sleep } from 'node:timers/promises'
import { backoff } from '#runtime/backoff.ts'
import type { Child } from './child.ts'

export interface SuperviseOptions {
  say: (line: string) => void
  /** Called for every started process, the first one and each restart. */
  onStart?: (child: Child) => void
  /** Milliseconds of running after which earlier ends of the program are forgotten. Default 30,000. */
  steadyMs?: number
  /** Milliseconds before the first restart. Default 500. */
  baseMs?: number
}

export interface Supervised<C extends Child> {
  name: string
  /** The first start. If it rejects, the program is not restarted. */
  started: Promise<C>
  /** Ends the program, even while it is starting, and returns when it has ended. */
  stop(): Promise<void>
}

/** Starts a program and returns when it is ready; ends what it started when the signal aborts. */
export type Launch<C extends Child> = (signal: AbortSignal) => Promise<C>

/** Starts a program, and restarts it with growing delays whenever it ends by itself. */
export function supervise<C extends Child>(name: string, launch: Launch<C>, options: SuperviseOptions): Supervised<C> {
  const stopping = new AbortController()
  const restart = restarter(name, launch, options, stopping.signal)
  let child: C | undefined
  const started = launch(stopping.signal).then((first) => {
    options.onStart?.(first)
    return (child = first)
  })
  const keepUp = async () => {
    while (child) {
      const how = await child.exited
      child = undefined
      child = await restart(how)
    }
  }
  const kept = started.then(keepUp, () => undefined)
  const stop = async () => {
    stopping.abort()
    await child?.stop()
    await kept
  }
  return { name, started, stop }
}

function restarter<C extends Child>(
  name: string,
  launch: Launch<C>,
  { say, onStart, steadyMs = 30_000, baseMs = 500 }: SuperviseOptions,
  signal: AbortSignal,
) {
  let failures = 0
  let lastEnd = -Infinity
  const pause = async (reason: string) => {
    const now = performance.now()
    failures = now - lastEnd < steadyMs ? failures + 1 : 0
    lastEnd = now
    const delayMs = backoff(failures, { baseMs, capMs: 15_000 })
    say(`${name} ${reason}; starting it again in ${(delayMs / 1000).toFixed(1)} s`)
    await sleep(delayMs, undefined, { signal }).catch(() => undefined)
  }
  return async (how: string): Promise<C | undefined> => {
    let reason = `ended with ${how}`
    while (!signal.aborted) {
      await pause(reason)
      if (signal.aborted) return undefined
      try {
        const child = await launch(signal)
        onStart?.(child)
        say(`${name} runs again (pid ${child.pid})`)
        return child
      } catch (error) {
        reason = `did not start: ${error instanceof Error ? error.message : String(error)}`
      }
    }
    return undefined
  }
}
