import { Worker } from 'node:worker_threads'
import { ApiError } from '../errors.ts'
import type { ExaminedBatch, Received } from './examine-batch.ts'
import type { FromThread, ToThread } from './examining-thread.ts'

/** The thread ended before it answered, which is not the fault of the batch. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
}

/** A thread that examines batches, one at a time. */
export interface ExaminingThread {
  /** Resolves when the thread is ready; rejects when it ends before that. */
  ready: Promise<void>
  isOver: boolean
  /** Throws ApiError for a batch that is refused, and ThreadLost when the thread ends. */
  examine(received: Received & { bytes: Buffer }): Promise<ExaminedBatch>
  end(): Promise<void>
}

interface ThreadOptions {
  entry: URL | undefined
  deadlineMs: number
}

/** Memory limit of the thread; a batch of 2 MB with the most values needs a tenth. */
const MEGABYTES = 192

export function startExaminingThread({ entry, deadlineMs }: ThreadOptions): ExaminingThread {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 32 }
  const file = entry ?? new URL('./examining-thread.ts', import.meta.url)
  const worker = new Worker(file, { resourceLimits, name: 'uploads' })
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  ready.catch(() => undefined)
  let answer: { heard: (said: FromThread) => void; lost: (error: Error) => void } | undefined
  const thread: ExaminingThread = {
    ready,
    isOver: false,
    examine: async ({ bytes, parts }) => {
      await ready.catch((cause: unknown) => {
        throw lost(cause)
      })
      const own = owned(bytes)
      const heard = new Promise<FromThread>((heard, lost) => (answer = { heard, lost }))
      const expired = setTimeout(() => void worker.terminate(), deadlineMs).unref()
      worker.postMessage({ bytes: own, parts: cloneable(parts) } satisfies ToThread, [own.buffer])
      return examined(await heard.finally(() => clearTimeout(expired)))
    },
    end: async () => void (await worker.terminate()),
  }
  const over = (error: Error) => {
    thread.isOver = true
    reject(error)
    answer?.lost(lost(error))
  }
  worker.on('message', (said: FromThread) => ('isReady' in said ? resolve() : answer?.heard(said)))
  worker.on('error', (error) => over(error as Error))
  worker.on('exit', () => over(new Error('the thread has ended')))
  // An upload in progress keeps the process alive through its connection.
  worker.unref()
  return thread
}

const lost = (cause: unknown) => new ThreadLost('the thread that checks uploads was lost', { cause })

/** Copies the bytes to memory of their own: a transfer moves the whole underlying buffer. */
function owned(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
  return isAlone ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes)
}

/** The fields that a check reads: texts and lists of texts. */
const cloneable = ({ header, ...parts }: ToThread['parts']): ToThread['parts'] => ({ ...parts, header: { ...header } })

function examined(said: FromThread): ExaminedBatch {
  if ('checked' in said) return { ...said.checked, bytes: said.bytes }
  if ('refusal' in said) {
    const { code, message, errors } = said.refusal
    throw new ApiError(code, message, errors && { errors })
  }
  throw new Error('failure' in said ? said.failure : 'the thread restarted')
}
