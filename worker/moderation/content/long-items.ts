import { Worker } from 'node:worker_threads'
import { createTurns } from '#runtime/turns.ts'
import type { ContentFault, LongItem } from '../types.ts'
import type { ToThread } from './long-items-thread.ts'

/** Milliseconds for one item, of which the most expensive takes two seconds; a thread that takes longer is ended. */
const LONGEST_MS = 60_000
/** Megabytes for what lives shortly: with what V8 takes by itself, the thread has 100 MB more and is no faster. */
const SHORT_LIVED = 16

/** Checks the texts of long items in a thread, one after another, the clients in turns. */
export interface LongItems {
  /** Rejects when the thread ends, and when the signal aborts, which ends the thread. */
  check(item: LongItem): Promise<readonly ContentFault[]>
  close(): Promise<void>
}

/** The thread starts with the first long item, and again after it ended. `entry`: the module that runs in it. */
export function createLongItems(entry = new URL('./long-items-thread.ts', import.meta.url)): LongItems {
  const turns = createTurns({ atOnce: 1, ofOneClient: 1 })
  let thread: Thread | undefined
  return {
    check: ({ clientId, signal, json, allowedWords = [] }) =>
      turns.take(clientId, signal, async () => {
        // It may have aborted since the turn came.
        signal.throwIfAborted()
        if (!thread || thread.isOver) thread = new Thread(entry)
        return thread.check({ json, allowedWords }, signal)
      }),
    close: async () => thread?.end('it was closed'),
  }
}

class Thread {
  isOver = false
  readonly #worker: Worker
  #asked: PromiseWithResolvers<readonly ContentFault[]> | undefined

  constructor(entry: URL) {
    this.#worker = new Worker(entry, { name: 'texts', resourceLimits: { maxYoungGenerationSizeMb: SHORT_LIVED } })
    this.#worker.on('message', (faults: readonly ContentFault[]) => this.#asked?.resolve(faults))
    this.#worker.on('error', (error) => void this.end(error))
    this.#worker.on('exit', () => void this.end('it ended'))
    // A batch in progress keeps the process alive through its connection.
    this.#worker.unref()
  }

  async check(item: ToThread, signal: AbortSignal): Promise<readonly ContentFault[]> {
    const asked = (this.#asked = Promise.withResolvers())
    const timer = setTimeout(() => void this.end('it took too long'), LONGEST_MS)
    const giveUp = () => {
      asked.reject(signal.reason)
      void this.end('its work was given up')
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#worker.postMessage(item)
    try {
      return await asked.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  async end(cause: unknown): Promise<void> {
    this.isOver = true
    this.#asked?.reject(new Error('the thread that checks texts has ended', { cause }))
    await this.#worker.terminate()
  }
}
