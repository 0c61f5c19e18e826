import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { oneAfterTheOther } from '#runtime/one-after-the-other.ts'
import { createTurns } from '#runtime/turns.ts'
import { ApiError } from '../errors.ts'
import { createDeadline } from '../http/deadline.ts'
import { counting, shareBytes } from './bytes-in-flight.ts'

/** The reads of jobs for one answer. */
export interface JobReads {
  /**
   * Reads when it is the client's turn. Throws `too_many_requests` where the client has very many reads under way or its own others
   * take too long, `not_ready` where those of all others do.
   */
  inTurn<T>(read: () => Promise<T>): Promise<T>
  /**
   * Counts the bytes of the answer until it is sent, and resolves in the turn of the event loop in which it may be written. Throws
   * `too_many_requests` where the client leaves many bytes unread.
   */
  room(bytes: number): Promise<void>
}

export interface ReadLimits {
  /** Reads at once: a job can have two megabytes, all reads share one connection, and each is parsed and written in the event loop. */
  atOnce: number
  ofOneClient: number
  /** Reads of one client, with those that wait. */
  mostOfOne: number
  /** Longest wait for a turn, in milliseconds: less than a caller takes for a server that does not answer. */
  longestMs: number
}

const LIMITS: ReadLimits = { atOnce: 8, ofOneClient: 2, mostOfOne: 1_000, longestMs: 4_000 }

/** Bytes of an answer that has a turn of the event loop for itself: to write two megabytes takes 20 ms. */
const LARGE = 256 * 1024

/** Returns the reads of one answer, which give up their turn when its caller goes away. */
export function createJobReads(limits = LIMITS): (res: Response, clientId: string) => JobReads {
  const turns = createTurns(limits)
  const patience = createDeadline(limits.longestMs)
  const underWay = counting()
  const countBytes = shareBytes()
  const alone = oneAfterTheOther()
  const refusal = (clientId: string) => (underWay.of(clientId) > limits.ofOneClient ? tooMany() : tooLong())
  const take = async <T>({ res, clientId }: Caller, read: () => Promise<T>): Promise<T> => {
    const waiting = new AbortController()
    const leave = () => waiting.abort(new Error('the client closed the connection'))
    if (res.closed) leave()
    res.once('close', leave)
    const entry = patience.add(() => waiting.abort(refusal(clientId)))
    try {
      return await turns.take(clientId, waiting.signal, read)
    } finally {
      patience.remove(entry)
      res.off('close', leave)
    }
  }
  return (res, clientId) => ({
    inTurn: async (read) => {
      if (underWay.of(clientId) >= limits.mostOfOne) throw tooMany()
      underWay.add(clientId, 1)
      return take({ res, clientId }, read).finally(() => underWay.add(clientId, -1))
    },
    room: async (bytes) => {
      if (!countBytes(res, clientId, bytes)) throw tooMany()
      if (bytes > LARGE) await alone(nextTurn)
    },
  })
}

type Response = Pick<ServerResponse, 'once' | 'off' | 'closed'>

interface Caller {
  res: Response
  clientId: string
}

const tooMany = () =>
  new ApiError('too_many_requests', 'This client has many polls of jobs under way; wait for their answers.', {
    headers: { 'retry-after': '1' },
  })

const tooLong = () =>
  new ApiError('not_ready', 'The jobs cannot be read now; try again.', { headers: { 'retry-after': '2' } })
