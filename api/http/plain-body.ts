import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { createDeadline } from './deadline.ts'

/** What a body may cost: bytes after decompression, and milliseconds till its end. */
export interface BodyBounds {
  limit: number
  deadlineMs?: number
}

export const DEADLINE_MS = 15_000

/**
 * Makes a reader of bodies that have no Content-Encoding, as UTF-8 text that `parse` makes something of; rejects with
 * `payload_too_large`, `request_timeout`, what `parse` throws, or a plain Error when the client went away. What is left of a
 * refused body is read and dropped, or the next request on its connection would wait behind it.
 */
export function plainReader<T>(parse: (text: string) => T, { limit, deadlineMs = DEADLINE_MS }: BodyBounds) {
  const deadline = createDeadline(deadlineMs)
  return (request: IncomingMessage): Promise<T> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      const entry = deadline.add(() => refuse(tooLate(deadlineMs)))
      const stop = () => {
        deadline.remove(entry)
        request.off('data', onData).off('end', onEnd).off('error', refuse).off('close', onClose)
      }
      const refuse = (error: Error) => {
        stop()
        request.on('error', ignore).resume()
        reject(error)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > limit) refuse(tooLarge())
        else chunks.push(chunk)
      }
      const onEnd = () => {
        stop()
        try {
          resolve(parse(textOf(chunks)))
        } catch (thrown) {
          reject(thrown as Error)
        }
      }
      const onClose = () => refuse(new Error('the client went away'))
      request.on('data', onData).on('end', onEnd).on('error', refuse).on('close', onClose)
      if (Number(request.headers['content-length']) > limit) refuse(tooLarge())
    })
}

const ignore = () => undefined

const tooLarge = () => new ApiError('payload_too_large', 'The body is too large.')

/** The refusal of a body that is sent a byte at a time: it would hold its connection for minutes. */
export function tooLate(deadlineMs: number): ApiError {
  const message = `The body did not come within ${deadlineMs / 1000} seconds.`
  return new ApiError('request_timeout', message, { headers: { connection: 'close' } })
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  const text = chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString()
  // A byte order mark is no part of the text (Encoding Standard, "UTF-8 decode").
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
