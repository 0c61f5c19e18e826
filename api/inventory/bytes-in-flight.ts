import type { Context } from 'koa'
import { ApiError } from '../errors.ts'

/** Bytes of bodies in progress, of all clients; a parsed body takes several times its bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/** Limits the bytes of the bodies that one process handles at once; each call counts until its answer is sent. */
export function boundBytesInFlight(largest: number, most = MOST_BYTES): (ctx: Context, clientId: string) => void {
  const ofClients = new Map<string, number>()
  let all = 0
  const add = (clientId: string, bytes: number) => {
    all += bytes
    const own = (ofClients.get(clientId) ?? 0) + bytes
    if (own === 0) ofClients.delete(clientId)
    else ofClients.set(clientId, own)
  }
  return (ctx, clientId) => {
    const bytes = bytesOf(ctx, largest)
    // With this body too, a client has no more than is left for all others: the last room goes to small bodies.
    if ((ofClients.get(clientId) ?? 0) + bytes > most - all - bytes) throw tooMany()
    add(clientId, bytes)
    ctx.res.once('close', () => add(clientId, -bytes))
  }
}

/** The bytes that the body may have after decompression; a body that is too large is refused before it is read. */
function bytesOf({ req }: Context, largest: number): number {
  const { 'content-length': length, 'content-encoding': coding = 'identity' } = req.headers
  return length === undefined || coding !== 'identity' ? largest : Math.min(Number(length), largest)
}

const tooMany = () =>
  new ApiError('queue_full', 'This client has many uploads under way; try again.', { headers: { 'retry-after': '2' } })
