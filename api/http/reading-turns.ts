import type { IncomingMessage } from 'node:http'

/**
 * Most bytes of large bodies that one turn of the event loop reads: what arrives at once from hundreds of connections
 * would otherwise be read in one turn, in which nothing else is answered.
 */
const TURN_BYTES = 2 * 1024 * 1024

/** Most requests with large bodies that one turn begins: hundreds that arrive at once are also refused in turns. */
const TURN_REQUESTS = 8

/** Bytes of a body that is read as it comes; a socket gives little more than this in one turn. */
const SMALL_BYTES = 64 * 1024

/** A body that is read in portions, as the turns of the event loop have room. */
interface Portions {
  request: IncomingMessage
  take: (chunk: Buffer) => void
}

/** Bodies with bytes that wait to be read; what is kept is read before what is dropped. */
const kept = new Set<Portions>()
const dropped = new Set<Portions>()
let isDue = false

const toBegin: (() => void)[] = []

/** Resolves in the turn in which a request with a large body is begun. */
export function turnToBegin(): Promise<void> {
  return new Promise((resolve) => {
    if (toBegin.push(resolve) === 1) setImmediate(beginSome)
  })
}

function beginSome(): void {
  for (const begin of toBegin.splice(0, TURN_REQUESTS)) begin()
  if (toBegin.length > 0) setImmediate(beginSome)
}

/** Whether a body may be so large that it has to be read in portions. */
export function isLarge({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > SMALL_BYTES
}

/** Gives a body to `take` in portions, and returns a function that ends it; the request emits `end` as usual. */
export const readInTurns = (request: IncomingMessage, take: (chunk: Buffer) => void): (() => void) =>
  follow({ request, take }, kept)

/**
 * Reads the rest of a body that nobody wants, because the next request on the connection comes after it, and because a
 * caller may read its answer only when it has sent everything.
 */
export function dropInTurns(request: IncomingMessage): void {
  request.on('error', ignore)
  // Of a request that nobody has read from, Node reads the whole rest as soon as the answer is sent.
  request.read()
  follow({ request, take: ignore }, dropped)
}

function follow(portions: Portions, waiting: Set<Portions>): () => void {
  const { request } = portions
  const onReadable = () => {
    waiting.add(portions)
    if (!isDue) setImmediate(readTurn)
    isDue = true
  }
  const end = () => {
    waiting.delete(portions)
    request.off('readable', onReadable)
  }
  request.on('readable', onReadable).once('close', end)
  return end
}

/** A socket that was read gives more in the next turn at the earliest, so each body has its part of a turn. */
function readTurn(): void {
  isDue = false
  let left = TURN_BYTES
  for (const waiting of [kept, dropped]) {
    for (const portions of waiting) {
      if (left <= 0) {
        isDue = true
        return void setImmediate(readTurn)
      }
      waiting.delete(portions)
      const chunk = portions.request.read() as Buffer | null
      if (chunk === null) continue
      left -= chunk.length
      portions.take(chunk)
    }
  }
}

const ignore = () => undefined
