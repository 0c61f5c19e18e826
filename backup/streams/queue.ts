import { jetstream, jetstreamManager, type JetStreamManager, type MsgRequest, type StoredMsg } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { SEQUENCE_HEADER } from '#inventory/batch-queue.ts'
import { keepOnce } from '#runtime/nats/kept-messages.ts'

/** A waiting message of a work queue, as one line of JSON. */
interface KeptMessage {
  subject: string
  headers: [name: string, value: string][]
  /** The data as base64. */
  data: string
}

/**
 * The waiting messages of a work queue in order, one on each line. Each message carries its sequence, with which
 * vehicles tell which upload is later: the queue of a new cluster assigns its own sequences, above every sequence of
 * the lost one.
 */
export async function* linesOfQueue(connection: NatsConnection, stream: string): AsyncGenerator<Uint8Array> {
  const manager = await jetstreamManager(connection)
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state
  // A work queue accepts no second consumer, so each message is requested by itself.
  for (let from = first; from <= last;) {
    const message = await nextFrom(manager, stream, from)
    if (!message) return
    yield Buffer.from(`${JSON.stringify(keptOf(message))}\n`)
    from = message.seq + 1
  }
}

const nextFrom = (manager: JetStreamManager, stream: string, seq: number): Promise<StoredMsg | null> =>
  manager.streams.getMessage(stream, { seq, next_by_subj: '>' } as MsgRequest)

function keptOf({ subject, header, data, seq }: StoredMsg): KeptMessage {
  // Headers of the server describe the lost queue.
  const own = (header?.keys() ?? []).filter((name) => !name.startsWith('Nats-'))
  const named = own.map((name): [string, string] => [name, header.get(name)])
  const place: [string, string] = [SEQUENCE_HEADER, String(seq)]
  const hasPlace = header?.has(SEQUENCE_HEADER) === true
  return { subject, headers: hasPlace ? named : [...named, place], data: Buffer.from(data).toString('base64') }
}

/** Adds the messages of these lines to a work queue; a message whose subject is already waiting is omitted. */
export async function requeue(connection: NatsConnection, lines: AsyncIterable<string>): Promise<void> {
  const client = jetstream(connection)
  for await (const line of lines) {
    const { subject, headers: kept, data } = JSON.parse(line) as KeptMessage
    const written = headers()
    for (const [name, value] of kept) written.set(name, value)
    await keepOnce(client, subject, { payload: Buffer.from(data, 'base64'), headers: written })
  }
}
