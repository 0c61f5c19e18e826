import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ApiError } from '../errors.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { isLarge, readInTurns } from './reading-turns.ts'
import { handleTogether } from './stages.ts'

/** Limits of a body: bytes after decompression, and milliseconds until it must have arrived. */
export interface BodyBounds {
  limit: number
  deadlineMs?: number
}

const DEADLINE_MS = 15_000
const EMPTY = Buffer.alloc(0)

const DECODERS = new Map<string, () => Readable & NodeJS.WritableStream>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * Creates a reader of bodies, plain or compressed. Rejects with `payload_too_large`, `request_timeout`,
 * `unsupported_media_type` for an unknown coding, `bad_request` for broken compression, or a plain Error when the
 * client disconnected.
 */
export function bodyReader({
  limit,
  deadlineMs = DEADLINE_MS,
}: BodyBounds): (request: IncomingMessage) => Promise<Buffer> {
  const deadline = createDeadline(deadlineMs)
  const late = () => tooLate(deadlineMs)
  return (request) => collected(request, { limit, deadline, late })
}

/** Gives a small body that arrived at once together with others of this turn, and any other body in a turn of its own. */
function giveWhole(chunks: readonly Buffer[], give: (body: Buffer) => void): void {
  const [first = EMPTY] = chunks
  if (chunks.length > 1) void ownTurn().then(() => give(Buffer.concat(chunks)))
  else if (first.length > LARGE_BYTES) void ownTurn().then(() => give(first))
  else handleTogether(() => give(first))
}

/** A body of at least this many bytes gets a turn of the event loop of its own to be parsed, checked and answered. */
const LARGE_BYTES = 8 * 1024
let lastTurn: Promise<void> = Promise.resolve()

/** Large bodies that arrive together are processed one per turn: probes and small requests are answered in between. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

interface Bounds {
  limit: number
  deadline: Deadline
  late: () => ApiError
}

/** The bytes of a body. The rest of a refused body is left to whoever answers the request. */
function collected(request: IncomingMessage, { limit, deadline, late }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source = decoded(request)
    const chunks: Buffer[] = []
    let size = 0
    const entry = deadline.add(() => refuse(late()))
    const stop = () => {
      deadline.remove(entry)
      endTurns?.()
    }
    const refuse = (error: Error) => {
      stop()
      source.off('data', onData).off('end', onEnd).off('error', onError)
      request.off('close', onClose)
      abandon(request, source)
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) refuse(tooLarge())
      else chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      giveWhole(chunks, resolve)
    }
    const onError = (error: Error) => refuse(source === request ? error : wronglyCoded(error))
    // A complete request closes too, while its decoder may still be working.
    const onClose = () => void (request.complete || refuse(new Error('the client closed the connection')))
    // Left on after the end of a body, when nothing comes any more: taking them off costs more than the body.
    source.on('end', onEnd).on('error', onError)
    // A decoder holds a large body back by itself.
    const endTurns = source === request && isLarge(request) ? readInTurns(request, onData) : undefined
    if (!endTurns) source.on('data', onData)
    // Without a decoder, a client that disconnects is an error of the request.
    if (source !== request) request.on('close', onClose)
    if (Number(request.headers['content-length']) > limit) refuse(tooLarge())
  })
}

/** The body with its Content-Encoding removed; throws `unsupported_media_type`. */
function decoded(request: IncomingMessage): Readable {
  const coding = request.headers['content-encoding']
  if (coding === undefined || coding === 'identity') return request
  const decoder = DECODERS.get(coding.trim().toLowerCase())?.()
  if (decoder) return request.pipe(decoder)
  // RFC 9110, 15.5.16: Accept-Encoding in a 415 says that the coding is to blame.
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  throw new ApiError('unsupported_media_type', 'The Content-Encoding of the body is not supported.', { headers })
}

function abandon(request: IncomingMessage, source: Readable): void {
  if (source !== request) {
    request.unpipe()
    source.on('error', ignore).destroy()
  }
  request.on('error', ignore)
}

const ignore = () => undefined

const tooLarge = () => new ApiError('payload_too_large', 'The body is too large.')

/** The refusal of a body that arrives too slowly: it would keep its connection busy for minutes. */
function tooLate(deadlineMs: number): ApiError {
  const message = `The body did not arrive within ${deadlineMs / 1000} seconds.`
  return new ApiError('request_timeout', message, { headers: { connection: 'close' } })
}

const wronglyCoded = (cause: Error) => unreadable('is not compressed as its Content-Encoding says', cause)

/** The `bad_request` for a body or a query that cannot be read. */
export function unreadable(reason: string, cause?: unknown, path = '/body'): ApiError {
  const errors = [{ path, message: reason, errorCode: 'parse.openapi.validation' }]
  const what = path.startsWith('/query') ? 'query' : 'body'
  return new ApiError('bad_request', `The ${what} ${reason}.`, { errors, cause })
}

/** The text of a body; throws `bad_request` for bytes that are not UTF-8. */
export function textOf(bytes: Buffer): string {
  // Decoding would turn invalid bytes into replacement characters, and two different bodies into one.
  if (!isUtf8(bytes)) throw unreadable('is not UTF-8')
  const text = bytes.toString()
  // A byte order mark is not part of the text (Encoding Standard, "UTF-8 decode").
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
