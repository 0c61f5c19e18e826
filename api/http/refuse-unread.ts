import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_OF_CODE, type ErrorCode } from '../errors.ts'

/** Answers what Node could not read as a request, so that it never became one, with the contract's error body. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, message] = reasonOf(error)
  const status = STATUS_OF_CODE[code]
  const body = JSON.stringify({ code, message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function reasonOf({ code }: NodeJS.ErrnoException): [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers_too_large', 'The headers are too large.']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['request_timeout', 'The request did not come in time.']
  return ['bad_request', 'The request is not valid HTTP.']
}
