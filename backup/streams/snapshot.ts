import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { inboxOf } from '#runtime/nats/access.ts'
import { BACKUP_CONNECTION, type KeptStream, type StreamHead } from './kept-streams.ts'

/*
 * Converts a stream to bytes and back, with its sequences and times. These are the requests of `nats stream backup` and
 * `nats stream restore`, JSApiStreamSnapshot and JSApiStreamRestore in nats-server's server/jetstream_api.go; the client
 * library has no function for them.
 */

const CHUNK_BYTES = 128 * 1024
/** Milliseconds that a server may take for one step; before the first it checks and packs the whole stream. */
const STEP_MS = 60_000

/**
 * Requests the whole content of a stream. The server waits for acknowledgements, so a slow reader blocks nothing else.
 * Throws when the server refuses.
 */
export async function snapshotOf(connection: NatsConnection, stream: string): Promise<KeptStream> {
  const inbox = createInbox(inboxOf(BACKUP_CONNECTION))
  const chunks = connection.subscribe(inbox)
  try {
    const request = { deliver_subject: inbox, no_consumers: true, chunk_size: CHUNK_BYTES, jsck: true }
    const { config, state } = await ask<StreamHead>(connection, `STREAM.SNAPSHOT.${stream}`, request)
    return { head: { config, state }, bytes: bytesOf(chunks[Symbol.asyncIterator](), stream) }
  } catch (error) {
    chunks.unsubscribe()
    throw error
  }
}

async function* bytesOf(chunks: AsyncIterator<Msg>, stream: string): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { value: chunk, done } = await within(chunks.next(), `${stream}: the server stopped sending`)
      if (done === true) throw new Error(`${stream}: the connection ended before the stream was read to its end`)
      if (chunk.data.length === 0) return assertWhole(chunk, stream)
      yield chunk.data
      chunk.respond()
    }
  } finally {
    await chunks.return?.()
  }
}

/** Checks the last message, which has no bytes, and a status when the server gave up. */
function assertWhole({ headers }: Msg, stream: string): void {
  const { code = 0, description = '' } = headers ?? {}
  if (code >= 400) throw new Error(`${stream}: the server gave up: ${code} ${description}`)
}

/**
 * Creates a stream that does not exist from the result of `snapshotOf`. Throws when the server refuses, for example
 * because the stream exists.
 */
export async function restoreStream(connection: NatsConnection, { head, bytes }: KeptStream): Promise<StreamHead> {
  type Accepted = { deliver_subject: string }
  const { deliver_subject: subject } = await ask<Accepted>(connection, `STREAM.RESTORE.${head.config.name}`, head)
  for await (const chunk of bytes) {
    const { data } = await connection.request(subject, chunk, { timeout: STEP_MS })
    if (data.length > 0) answerIn(data)
  }
  const { data } = await connection.request(subject, new Uint8Array(), { timeout: STEP_MS })
  return answerIn<StreamHead>(data)
}

async function ask<T>(connection: NatsConnection, subject: string, request: object): Promise<T> {
  const { data } = await connection.request(`$JS.API.${subject}`, JSON.stringify(request), { timeout: STEP_MS })
  return answerIn<T>(data)
}

function answerIn<T>(data: Uint8Array): T {
  const answer = JSON.parse(new TextDecoder().decode(data)) as T & { error?: { code: number; description: string } }
  if (answer.error) throw new Error(`NATS refuses: ${answer.error.description} (${answer.error.code})`)
  return answer
}

async function within<T>(step: Promise<T>, fault: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(fault)), STEP_MS)
  })
  return Promise.race([step, late]).finally(() => clearTimeout(timer))
}
