import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { OperatorCheck } from '#crds/operator-checks.ts'
import type { Fault } from '#rates/checks/fault.ts'
import { crashed } from '#rates/checks/contained.ts'
import type { Logger } from '#runtime/log.ts'
import type { Checked, CheckSet } from './checks.ts'

// Rate sets are checked in a thread, so that the operator continues to renew its lease, publish and answer whatever a
// set makes the checks do. A set that uses too much time or memory is stopped and gets a fault.

export const CHECK_DEADLINE = 'check-deadline' satisfies OperatorCheck
export const CHECK_MEMORY = 'check-memory' satisfies OperatorCheck

/** The first message of the thread; afterwards the thread answers each set with its faults. */
export const READY = 'ready'

export interface CheckThreadOptions {
  /** Processor time for one rate set, in milliseconds. */
  deadlineMs: number
  megabytes: number
  log: Pick<Logger, 'warn'>
  /** The module that runs in the thread; by default the checks of rate sets. */
  entry?: URL
}

/** A thread that checks rate sets one after another; a set that it cannot finish gets a fault. */
export interface CheckThread {
  check: CheckSet
  stop(): Promise<void>
}

/** Starts the thread at once, so that it is ready for the first set, and again whenever it had to be stopped. */
export function startCheckThread(options: CheckThreadOptions): CheckThread {
  let thread = new Thread(options)
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const judge = async (checked: Checked): Promise<Fault[]> => {
    if (thread.isOver && !isStopped) thread = new Thread(options)
    const outcome = await thread.judge(checked)
    if (Array.isArray(outcome)) return outcome
    options.log.warn({ set: checked.name, check: outcome.check }, outcome.message)
    await thread.end()
    if (!isStopped) thread = new Thread(options)
    return [outcome]
  }
  return {
    check: (checked) => {
      const turn = last.then(() => judge(checked))
      last = turn.catch(() => undefined)
      return turn
    },
    stop: async () => {
      isStopped = true
      await thread.end()
    },
  }
}

/** The thread does not start, which is no set's fault. */
export class ChecksUnavailable extends Error {
  override name = 'ChecksUnavailable'
}

/** All faults of a set, or the one fault that it could not be checked. */
type Outcome = Fault[] | Fault

class Thread {
  readonly #options: CheckThreadOptions
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  isOver = false
  /** Receives the next message of the thread; only the first counts. */
  #heard: (outcome: Outcome) => void = () => undefined

  constructor(options: CheckThreadOptions) {
    const { megabytes, entry = new URL('./check-worker.ts', import.meta.url) } = options
    // In a process that was started with --max-old-space-size, each new thread gets that limit whatever its own limits
    // are. The heap of the process itself keeps its size.
    setFlagsFromString(`--max-old-space-size=${megabytes}`)
    const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 }
    this.#options = options
    this.#worker = new Worker(entry, { resourceLimits, name: 'checks' })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#ready = promise
    this.#ready.catch(() => undefined)
    this.#worker.on('message', (said: typeof READY | Fault[]) => (said === READY ? resolve() : this.#heard(said)))
    this.#worker.on('error', (error) => this.#ended(error, reject))
    this.#worker.on('exit', (code) => this.#ended(new Error(`exit code ${code}`), reject))
    this.#worker.unref()
  }

  #ended(error: unknown, reject: (reason: unknown) => void): void {
    this.isOver = true
    reject(new ChecksUnavailable('the check thread does not start', { cause: error }))
    this.#heard(faultOf(error, this.#options.megabytes))
  }

  async judge(checked: Checked): Promise<Outcome> {
    // A thread that does not start fails the whole run, which is tried again.
    await this.#ready
    const over = new AbortController()
    const heard = new Promise<Outcome>((resolve) => (this.#heard = resolve))
    // The process stays alive for an answer that somebody waits for.
    this.#worker.ref()
    this.#worker.postMessage(checked)
    try {
      return await Promise.race([heard, this.#expired(over.signal)])
    } finally {
      over.abort()
      this.#worker.unref()
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  /** Resolves when the thread has used its processor time, or when much more time than that has passed. */
  async #expired(signal: AbortSignal): Promise<Fault> {
    const { deadlineMs } = this.#options
    const before = await this.#processorMs()
    const startedAt = performance.now()
    for (let left = deadlineMs; left > 0 && !signal.aborted;) {
      await sleep(left, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      const worked = (await this.#processorMs()) - before
      const passed = performance.now() - startedAt
      left = Math.ceil(deadlineMs - Math.max(Number.isNaN(worked) ? passed : worked, passed / MOST_DEADLINES))
    }
    return expiry(CHECK_DEADLINE, `take more than ${deadlineMs / 1000} s`)
  }

  /** During one long native call the thread does not answer; the call then counts as endless. */
  async #processorMs(): Promise<number> {
    const told = this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1000)
    const waited = new AbortController()
    const untold = sleep(TELL_MS, Infinity, { signal: waited.signal }).catch(() => Infinity)
    return Promise.race([told.catch(() => Infinity), untold]).finally(() => waited.abort())
  }
}

/**
 * On a busy machine a thread waits for the processor; after this many deadlines of elapsed time it is stopped in any
 * case.
 */
const MOST_DEADLINES = 6
const TELL_MS = 1000

function faultOf(error: unknown, megabytes: number): Fault {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? expiry(CHECK_MEMORY, `need more than ${megabytes} MiB of memory`) : crashed('thread', error)
}

const expiry = (check: string, what: string): Fault => ({
  check,
  path: '',
  message: `the checks of this set ${what}; make the set smaller or simpler`,
})
