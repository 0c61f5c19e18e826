import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** The id of a request: the caller's id when it is a plain word of at most 128 characters, else a new UUID. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID()
}
