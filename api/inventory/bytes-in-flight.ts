import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { ApiError } from '../errors.ts'

/** Bytes in progress, of all clients; a parsed body takes several times its bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/** Counts bytes until the answer is sent or its caller goes away; false, and nothing is counted, where the client has its share of them. */
export type CountBytes = (res: Pick<ServerResponse, 'once' | 'closed'>, clientId: string, bytes: number) => boolean

/** With these bytes too, a client has no more than is left for all others: the last room goes to those with few. */
export function shareBytes(most = MOST_BYTES): CountBytes {
  const ofClients = counting()
  let all = 0
  const add = (clientId: string, bytes: number) => {
    all += bytes
    ofClients.add(clientId, bytes)
  }
  return (res, clientId, bytes) => {
    if (ofClients.of(clientId) + bytes > most - all - bytes) return false
    // It closes once: nothing would take the bytes off again.
    if (res.closed) return true
    add(clientId, bytes)
    res.once('close', () => add(clientId, -bytes))
    return true
  }
}

/** Counts by client; of those that have none, nothing stays. */
export function counting() {
  const counts = new Map<string, number>()
  const of = (clientId: string): number => counts.get(clientId) ?? 0
  return {
    of,
    add: (clientId: string, change: number): void => {
      const number = of(clientId) + change
      if (number === 0) counts.delete(clientId)
      else counts.set(clientId, number)
    },
  }
}

/** Limits the bytes of the bodies that one process handles at once; each call counts until its answer is sent. */
export function boundBytesInFlight(largest: number, most = MOST_BYTES): (ctx: Context, clientId: string) => void {
  const count = shareBytes(most)
  return (ctx, clientId) => {
    if (!count(ctx.res, clientId, bytesOf(ctx, largest))) throw tooMany()
  }
}

/** The bytes that the body may have after decompression; a body that is too large is refused before it is read. */
function bytesOf({ req }: Context, largest: number): number {
  const { 'content-length': length, 'content-encoding': coding = 'identity' } = req.headers
  return length === undefined || coding !== 'identity' ? largest : Math.min(Number(length), largest)
}

const tooMany = () =>
  new ApiError('queue_full', 'This client has many uploads under way; try again.', { headers: { 'retry-after': '2' } })
