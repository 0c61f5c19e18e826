import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { OperatorCheck } from '#crds/operator-checks.ts'
import type { Fault } from '#rates/checks/fault.ts'
import { crashed } from '#rates/checks/contained.ts'
import type { Logger } from '#runtime/log.ts'
import type { Checked, CheckSet } from './checks.ts'

// Rate sets are judged in a thread of their own: whatever a set makes the checks do, the operator goes on renewing its
// lease, publishing and answering, and a set that takes too long or too much is ended and has a fault.

export const CHECK_DEADLINE = 'check-deadline' satisfies OperatorCheck
export const CHECK_MEMORY = 'check-memory' satisfies OperatorCheck

/** What the thread says when it is ready; afterwards it answers each set with its faults. */
export const READY = 'ready'

export interface CheckThreadOptions {
  /** Processor time that one rate set may take. */
  deadlineMs: number
  megabytes: number
  log: Pick<Logger, 'warn'>
  /** What runs in the thread; by default the checks of rate sets. */
  entry?: URL
}

/** A thread that judges rate sets one after another; what it cannot finish is a fault of the set that it judged. */
export interface CheckThread {
  check: CheckSet
  stop(): Promise<void>
}

/** Starts the thread at once, so that it is warm for the first set, and anew whenever it had to be ended. */
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

/** The thread does not start, which is no fault of any set. */
export class ChecksUnavailable extends Error {
  override name = 'ChecksUnavailable'
}

/** All faults of a set, or the one that it could not be judged. */
type Outcome = Fault[] | Fault

class Thread {
  readonly #options: CheckThreadOptions
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  isOver = false
  /** Takes what the thread says next; the first word counts. */
  #heard: (outcome: Outcome) => void = () => undefined

  constructor(options: CheckThreadOptions) {
    const { megabytes, entry = new URL('./check-worker.ts', import.meta.url) } = options
    // A process that was started with --max-old-space-size gives each new thread as much, whatever the thread's own
    // limits say; the heap of the process itself keeps its size.
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
    // Nobody's fault: a thread that does not start fails the whole run, which is tried again.
    await this.#ready
    const over = new AbortController()
    const heard = new Promise<Outcome>((resolve) => (this.#heard = resolve))
    // The process stays for an answer that somebody waits for.
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

  /** Settles when the thread has had its processor time, or when far more time than that is over. */
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

  /** A thread in one long step of native code does not tell; it is taken to have worked for ever. */
  async #processorMs(): Promise<number> {
    const told = this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1000)
    const waited = new AbortController()
    const untold = sleep(TELL_MS, Infinity, { signal: waited.signal }).catch(() => Infinity)
    return Promise.race([told.catch(() => Infinity), untold]).finally(() => waited.abort())
  }
}

/** On a crowded machine a thread waits for its turn: so many deadlines by the clock are too many in any case. */
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
