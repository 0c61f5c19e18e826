import { Worker } from 'node:worker_threads'
import type { Classifier, Scores } from './classifier.ts'
import type { ClassifierReply, ClassifierRequest } from './classifier-thread.ts'
import type { Pixels } from './picture-size.ts'

/** Milliseconds to load the model, or to score a picture; a thread that takes longer is abandoned. */
const LONGEST_MS = 60_000

interface Asked {
  settle: (outcome: { scores: Scores } | { failure: string }) => void
  timer: NodeJS.Timeout
}

/**
 * Starts the classifier in its own thread, so that the worker still reports progress while it computes. A thread that
 * dies or hangs fails its pictures, and the next picture gets a new thread.
 */
export async function startClassifier(
  source = new URL('./classifier-thread.ts', import.meta.url),
): Promise<Classifier> {
  let thread: Thread | undefined = new Thread(source)
  await thread.ready
  return {
    classify: async (pixels) => {
      if (!thread?.isAlive) thread = new Thread(source)
      const current = thread
      await current.ready
      return current.ask(pixels)
    },
    close: async () => {
      await thread?.end('the classifier is closed')
      thread = undefined
    },
  }
}

class Thread {
  isAlive = true
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  #questions = 0

  constructor(source: URL) {
    this.#worker = new Worker(source)
    this.#worker.on('error', (error) => void this.end(String(error)))
    this.#worker.on('exit', () => void this.end('its thread ended'))
    this.ready = new Promise((resolve, reject) => {
      this.#await(0, (outcome) => ('failure' in outcome ? reject(new Error(outcome.failure)) : resolve()))
    })
    // Callers await this promise; without a caller, as when its picture was abandoned meanwhile, a rejection must
    // not end the process.
    this.ready.catch(() => undefined)
    this.#worker.on('message', (answer: ClassifierReply) => this.#hear(answer))
  }

  ask(pixels: Pixels): Promise<Scores> {
    const id = (this.#questions += 1)
    return new Promise((resolve, reject) => {
      this.#await(id, (outcome) =>
        'failure' in outcome ? reject(new Error(outcome.failure)) : resolve(outcome.scores),
      )
      this.#worker.postMessage({ id, pixels } satisfies ClassifierRequest, [pixels.buffer])
    })
  }

  async end(failure: string): Promise<void> {
    this.isAlive = false
    for (const { settle, timer } of this.#asked.values()) {
      clearTimeout(timer)
      settle({ failure: `the classifier failed: ${failure}` })
    }
    this.#asked.clear()
    await this.#worker.terminate()
  }

  #await(id: number, settle: Asked['settle']): void {
    const timer = setTimeout(() => void this.end('it took too long'), LONGEST_MS)
    this.#asked.set(id, { settle, timer })
  }

  #hear(answer: ClassifierReply): void {
    const id = 'ready' in answer ? 0 : answer.id
    const asked = this.#asked.get(id)
    if (!asked) return
    this.#asked.delete(id)
    clearTimeout(asked.timer)
    asked.settle('ready' in answer ? { scores: NO_SCORES } : answer)
  }
}

const NO_SCORES: Scores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }
