import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { InForce } from '#rates/release/in-force.ts'
import type { KeptSet } from '#rates/release/kept-release.ts'
import type { FromThread, ToThread } from './archive-thread.ts'

/** Why a file is not used. `isFault`: the file is at fault; otherwise it could not be read this time. */
export interface Refusal {
  refused: string
  isFault: boolean
}

/** What the thread found a file to be. */
export type Verified = { release: string; inForce: readonly InForce[]; sets: KeptSet[] } | Refusal

/** Verifies bundles in threads, away from quotes. */
export interface BundleVerifier {
  /**
   * The answers are in the order of the files, and `sets` is empty unless they are asked for. A file that ends or blocks
   * its thread is refused, and the files after it are verified by another thread.
   */
  verify(told: ToThread): Promise<Verified[]>
  /** Ends the threads, as far as their files do not block them. */
  stop(): Promise<void>
}

export interface VerifierOptions {
  /** Milliseconds for one file. */
  longestMs?: number
  /** The entry point of a thread. */
  entry?: URL
}

/** Memory limit of a thread; all committed rates take a tenth. */
const MEGABYTES = 128
const LONGEST_MS = 120_000
/** For threads to end, once they are told to. */
const END_MS = 1_000

export function createBundleVerifier(options: VerifierOptions = {}): BundleVerifier {
  return new Threads(options)
}

class Threads implements BundleVerifier {
  readonly #longestMs: number
  readonly #entry: URL
  readonly #running = new Set<Worker>()
  readonly #ending = new Set<Worker>()
  #isStopped = false
  #isOnExit = false

  constructor({ longestMs = LONGEST_MS, entry = new URL('./archive-thread.ts', import.meta.url) }: VerifierOptions) {
    this.#longestMs = longestMs
    this.#entry = entry
  }

  async verify(told: ToThread): Promise<Verified[]> {
    if (this.#isStopped) return told.files.map(() => ({ refused: 'the process stops', isFault: false }))
    const verified = await this.#inThread(told)
    const at = verified.length
    if (at >= told.files.length) return verified
    const limits = `${MEGABYTES} MB or ${this.#longestMs / 1000} s`
    const lost = { refused: `it takes more than ${limits} to verify`, isFault: true }
    return [...verified, lost, ...(await this.verify({ ...told, files: told.files.slice(at + 1) }))]
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const ends = [...this.#running].map((worker) => this.#end(worker))
    await Promise.race([Promise.all(ends), setTimeout(END_MS, undefined, { ref: false })])
  }

  /** The answers that the thread gave before it ended, or before it was left behind. */
  #inThread(told: ToThread): Promise<Verified[]> {
    const verified: Verified[] = []
    if (told.files.length === 0) return Promise.resolve(verified)
    const worker = this.#start(told)
    let sets: KeptSet[] = []
    return new Promise((resolve) => {
      // Its exit may never follow.
      const leave = () => (worker.removeAllListeners('message'), void this.#end(worker), resolve(verified))
      const expiry = () => globalThis.setTimeout(leave, this.#longestMs).unref()
      let expires = expiry()
      worker.on('message', (said: FromThread) => {
        if ('set' in said) return void sets.push(said.set)
        verified.push('refused' in said ? said : { ...said, sets })
        sets = []
        clearTimeout(expires)
        expires = expiry()
      })
      worker.on('exit', () => (clearTimeout(expires), resolve(verified)))
    })
  }

  #start(workerData: ToThread): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 16 }
    const worker = new Worker(this.#entry, { workerData, resourceLimits, name: 'archive' })
    // A stopping process does not wait for it.
    worker.unref()
    this.#running.add(worker)
    // Out of memory; the exit follows.
    worker.on('error', () => undefined)
    worker.on('exit', () => (this.#running.delete(worker), this.#ending.delete(worker)))
    return worker
  }

  /** A call of the system that blocks is not interrupted, and `process.exit` would wait for it without end. */
  #end(worker: Worker): Promise<unknown> {
    this.#ending.add(worker)
    if (!this.#isOnExit) process.once('exit', () => this.#ending.size > 0 && process.kill(process.pid, 'SIGKILL'))
    this.#isOnExit = true
    return worker.terminate()
  }
}
