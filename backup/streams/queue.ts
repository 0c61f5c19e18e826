import { jetstream, jetstreamManager, type JetStreamManager, type MsgRequest, type StoredMsg } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { SEQUENCE_HEADER } from '#inventory/batch-queue.ts'
import { keepOnce } from '#runtime/nats/kept-messages.ts'

/** A message that waits in a work queue, as a line of JSON keeps it. */
interface KeptMessage {
  subject: string
  headers: [name: string, value: string][]
  /** Base64. */
  data: string
}

/**
 * The messages that wait in a work queue, in their order, one line each. A message names its place, by which vehicles tell what is
 * later: the queue of a new cluster gives places of its own, above all that the lost one can have given.
 */
export async function* linesOfQueue(connection: NatsConnection, stream: string): AsyncGenerator<Uint8Array> {
  const manager = await jetstreamManager(connection)
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state
  // A work queue takes no second consumer, so each message is asked for.
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
  // Those of the server are about the queue that is lost.
  const own = (header?.keys() ?? []).filter((name) => !name.startsWith('Nats-'))
  const named = own.map((name): [string, string] => [name, header.get(name)])
  const place: [string, string] = [SEQUENCE_HEADER, String(seq)]
  const hasPlace = header?.has(SEQUENCE_HEADER) === true
  return { subject, headers: hasPlace ? named : [...named, place], data: Buffer.from(data).toString('base64') }
}

/** Puts the messages of these lines into a work queue; one whose subject waits there already is left out. */
export async function requeue(connection: NatsConnection, lines: AsyncIterable<string>): Promise<void> {
  const client = jetstream(connection)
  for await (const line of lines) {
    const { subject, headers: kept, data } = JSON.parse(line) as KeptMessage
    const written = headers()
    for (const [name, value] of kept) written.set(name, value)
    await keepOnce(client, subject, { payload: Buffer.from(data, 'base64'), headers: written })
  }
}
