import type { Logger } from '#runtime/log.ts'
import { ApiError } from '../errors.ts'
import type { ContractOperation } from '../http/contract.ts'
import { examineBatch, type ExaminedBatch, type Received } from './examine-batch.ts'
import { startExaminingThread, ThreadLost, type ExaminingThread } from './start-examining-thread.ts'

/**
 * Parses and checks uploads. A large upload is handled in a thread, so that no other request and no probe waits for it.
 */
export interface Examiner {
  /** Throws `bad_request`, or `not_ready` when the thread ended. */
  examine(contract: ContractOperation, clientId: string, received: Received): Promise<ExaminedBatch>
  /** Resolves when the thread has loaded everything; rejects when it cannot. */
  warm(): Promise<void>
  stop(): Promise<void>
}

export interface ExaminerOptions {
  log: Pick<Logger, 'error'>
  /** The module that runs in the thread; by default it examines batches. */
  entry?: URL
  /** Longest time for one batch, in milliseconds. */
  deadlineMs?: number
}

/** A smaller body is checked here: it takes a few milliseconds at most. */
const HERE_BYTES = 16 * 1024
/** A hundred times what the most expensive batch takes, because the machine may be busy. */
const DEADLINE_MS = 30_000

interface Waiting {
  received: Received & { bytes: Buffer }
  resolve: (examined: ExaminedBatch) => void
  reject: (error: unknown) => void
}

/** Creates an examiner. Its thread starts at first use, and again after it ended. */
export function createExaminer({ log, entry, deadlineMs = DEADLINE_MS }: ExaminerOptions): Examiner {
  const turns = new Turns()
  let thread: ExaminingThread | undefined
  let isAtWork = false
  const started = () => (thread = thread && !thread.isOver ? thread : startExaminingThread({ entry, deadlineMs }))
  const work = async () => {
    if (isAtWork) return
    isAtWork = true
    for (let next = turns.take(); next; next = turns.take()) {
      const { received, resolve, reject } = next
      await started()
        .examine(received)
        .then(resolve, (error: unknown) => reject(refused(error, log)))
    }
    isAtWork = false
  }
  return {
    examine: async (contract, clientId, received) => {
      const { bytes } = received
      if (bytes === undefined || bytes.length <= HERE_BYTES) {
        return { ...examineBatch(contract, received), bytes: bytes ?? Buffer.alloc(0) }
      }
      return new Promise((resolve, reject) => {
        turns.add(clientId, { received: { ...received, bytes }, resolve, reject })
        void work()
      })
    },
    warm: () => started().ready,
    stop: async () => void (await thread?.end()),
  }
}

function refused(error: unknown, log: Pick<Logger, 'error'>): unknown {
  if (!(error instanceof ThreadLost)) return error
  log.error({ err: error }, 'an upload was not checked')
  const headers = { 'retry-after': '2' }
  return new ApiError('not_ready', 'The batch could not be checked; try again.', { cause: error, headers })
}

/** The waiting uploads by client: clients take turns, however many uploads others have waiting. */
class Turns {
  readonly #ofClients = new Map<string, Waiting[]>()

  add(clientId: string, waiting: Waiting): void {
    const own = this.#ofClients.get(clientId)
    if (own) own.push(waiting)
    else this.#ofClients.set(clientId, [waiting])
  }

  take(): Waiting | undefined {
    const [first] = this.#ofClients
    if (!first) return undefined
    const [clientId, [next, ...others]] = first
    // The map is in the order of service: a client that was served goes to the end.
    this.#ofClients.delete(clientId)
    if (others.length > 0) this.#ofClients.set(clientId, others)
    return next
  }
}
