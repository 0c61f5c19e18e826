import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '#runtime/log.ts'
import { STATUS_OF_CODE, type ErrorCode } from '../errors.ts'
import type { Connections } from './connections.ts'
import { requestIdOf } from './request-id.ts'

/** Milliseconds in which a refused caller can read its answer before its socket is closed. */
const LINGER_MS = 1_000

type Reason = readonly [ErrorCode, string]

const NO_HOST: Reason = ['bad_request', 'The header Host is missing.']
const TWO_HOSTS: Reason = ['bad_request', 'The header Host is sent more than once.']
const NO_SUCH_HOST: Reason = ['bad_request', 'The header Host does not name a host.']
const FRAGMENT: Reason = ['bad_request', 'The request target has a fragment (#), which is not sent to a server.']
const EXPECTATION: Reason = ['expectation_failed', 'The Expect header supports only 100-continue.']
const CODED: Reason = ['not_implemented', 'The only supported Transfer-Encoding is chunked.']
const CONNECT: Reason = ['method_not_allowed', 'CONNECT is not supported: this server is not a proxy.']

/**
 * Answers with the contract's error body where Node would answer without one: bytes that are not a request, an unknown
 * `Expect`, and `CONNECT`. The returned function answers a request whose `Host` is missing, repeated or no host, whose
 * target has a fragment, or whose transfer coding is unknown, and returns whether it did.
 */
export function refuseBeforeApp(server: Server, connections: Connections, log?: Logger) {
  const note = (requestId: string, [code, message]: Reason) =>
    log?.info({ event: 'refused', requestId, status: STATUS_OF_CODE[code], code, reason: message }, 'refused')
  const refused = new WeakSet<Duplex>()
  const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Another answer is being written to the socket, or was: the two must not mix.
    if (!socket.writable || connections.isAnswered(socket as Socket)) return void socket.destroy()
    note(refuseSocket(socket, unreadable(error)), unreadable(error))
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    // Whatever else arrives is no request either.
    if (refused.has(socket)) return
    refused.add(socket)
    // An answer before those of earlier requests would be taken for one of theirs.
    connections.whenAnswered(socket as Socket, () => refuseUnreadable(error, socket))
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has taken its own listener away: a reset before the answer would end the process.
    socket.on('error', () => socket.destroy())
    connections.whenAnswered(socket as Socket, () => note(refuseSocket(socket, CONNECT), CONNECT))
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.noteAnswer(request.socket, response)
    note(refuse(request, response, EXPECTATION), EXPECTATION)
  })
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const fault = faultOfHost(request) ?? faultOfTarget(request) ?? faultOfCoding(request)
    if (fault) note(refuse(request, response, fault), fault)
    return fault !== null
  }
}

/**
 * RFC 9112, 3.2: HTTP/1.0 does not require the header, and nobody may send two. Node shows only the first of several.
 */
function faultOfHost({ headers, rawHeaders, httpVersion }: IncomingMessage): Reason | null {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : null
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return TWO_HOSTS
  return HOST.test(headers.host) ? null : NO_SUCH_HOST
}

/** RFC 3986, 3.2.2 and 3.2.3: an address in brackets, or a name, which may be empty; then a port. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** RFC 9112, 3.2: no form of the request target has a fragment. Node's parser lets it pass. */
const faultOfTarget = ({ url }: IncomingMessage): Reason | null => (url?.includes('#') ? FRAGMENT : null)

/** RFC 9112, 6.1. Node undoes the chunks alone, and would give the application a body that is still coded. */
function faultOfCoding({ headers }: IncomingMessage): Reason | null {
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.toLowerCase() === 'chunked' ? null : CODED
}

function unreadable({ code }: NodeJS.ErrnoException): Reason {
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers_too_large', 'The headers are too large.']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['request_timeout', 'The request did not arrive in time.']
  return ['bad_request', 'The request is not valid HTTP.']
}

/** Answers a request that was parsed; returns the id of the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, reason: Reason): string {
  const requestId = requestIdOf(request)
  const { status, headers, body } = answerTo(reason, requestId)
  response.writeHead(status, headers).end(body)
  return requestId
}

/** Answers on a socket whose bytes could not be parsed as a request; returns the id of the answer. */
function refuseSocket(socket: Duplex, reason: Reason): string {
  const requestId = randomUUID()
  const { status, headers, body } = answerTo(reason, requestId)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // Closed after a pause: a caller that is still sending would lose the answer, and one that stays would keep the
  // socket open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  return requestId
}

function answerTo([code, message]: Reason, requestId: string) {
  const body = JSON.stringify({ code, message })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }
  return { status: STATUS_OF_CODE[code], headers, body }
}
