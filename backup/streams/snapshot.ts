import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { inboxOf } from '#runtime/nats/access.ts'
import { BACKUP_CONNECTION, type KeptStream, type StreamHead } from './kept-streams.ts'

/*
 * A stream as bytes, and back, with its numbers and times: the two requests of nats-server that `nats stream backup` and
 * `nats stream restore` make as well. The client library has no function for them.
 * JSApiStreamSnapshot and JSApiStreamRestore in nats-server's server/jetstream_api.go
 */

const CHUNK_BYTES = 128 * 1024
/** Milliseconds that a server may take for one step: it checks and packs the whole stream first. */
const STEP_MS = 60_000

/**
 * Asks for all that a stream holds. The server sends no more than was acknowledged, so whoever reads slowly holds up nothing else.
 * Throws where the server refuses.
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

/** The last message has no bytes, and a status where the server gave up. */
function assertWhole({ headers }: Msg, stream: string): void {
  const { code = 0, description = '' } = headers ?? {}
  if (code >= 400) throw new Error(`${stream}: the server gave up: ${code} ${description}`)
}

/** Makes a stream that is not there of what `snapshotOf` read. Throws where the server refuses, for one because it is there. */
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
