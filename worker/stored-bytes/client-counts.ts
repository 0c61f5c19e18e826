import { hash, randomUUID } from 'node:crypto'
import { JsHeaders, type JetStreamManager, type JsMsg } from '@nats-io/jetstream'
import type { ClientBytes, Counted as Bucket } from '#inventory/client-bytes.ts'
import { sizeOf as bodyOf } from '#runtime/nats/kept-messages.ts'

/** Entries that are remembered, in 70 megabytes. */
const MOST = 2_000_000
/** Milliseconds after which all entries of a client are read again, whatever is known of them. */
const RECOUNT_MS = 3_600_000
/** Entries that the server sends before it is asked for more. */
const AT_ONCE = 5_000
/** Milliseconds after which the server removes a consumer that nobody asks. */
const UNUSED_MS = 60_000
/** Milliseconds without a message after which a read is given up. */
const STALLED_MS = 30_000

/** A client in a bucket, by its token in subjects. */
interface Client {
  bucket: Bucket
  token: string
}

/** Counts what clients have in buckets. */
export interface ClientCounts {
  /** As it is stored after this call, with the bytes of the entries that are named by the rest of their keys. */
  of(manager: JetStreamManager, client: Client, keys: readonly string[]): Promise<ClientBytes>
}

interface Counted {
  /** When the stream was created and all entries of the client were read. */
  created: string
  readAt: number
  /** The last sequence that was read. */
  last: number
  /** Bytes by the hash of the key; of the mark of an entry that was deleted, negative. */
  sizes: Map<number, number>
  bytes: number
  entries: number
}

/** Reads all messages of a client once, without their bodies, and then those that have come since; `now` is in milliseconds. */
export function createClientCounts(now: () => number, most = MOST): ClientCounts {
  return new Remembered(now, most)
}

class Remembered implements ClientCounts {
  readonly #now: () => number
  readonly #most: number
  /** By bucket and token; whoever was asked for last is last. */
  readonly #clients = new Map<string, Counted>()
  readonly #reading = new Map<string, Promise<Counted>>()
  readonly #next = new Map<string, Promise<Counted>>()
  /** So that nobody can choose names of one hash. */
  readonly #seed = randomUUID()

  constructor(now: () => number, most: number) {
    this.#now = now
    this.#most = most
  }

  async of(manager: JetStreamManager, { bucket, token }: Client, keys: readonly string[]): Promise<ClientBytes> {
    const { sizes, bytes, entries } = await this.#readNext(manager, `${bucket}.${token}`)
    return { entries, bytes, each: keys.map((key) => Math.max(0, sizes.get(this.#hashOf(key)) ?? 0)) }
  }

  /** Those who ask while a client is read share the read that follows: the present one may have passed what they stored. */
  #readNext(manager: JetStreamManager, client: string): Promise<Counted> {
    const known = this.#next.get(client)
    if (known) return known
    const present = this.#reading.get(client)?.catch(() => undefined) ?? Promise.resolve()
    const next = present.then(() => this.#begin(manager, client))
    this.#next.set(client, next)
    return next
  }

  #begin(manager: JetStreamManager, client: string): Promise<Counted> {
    this.#next.delete(client)
    const reading = this.#read(manager, client).finally(() => {
      if (this.#reading.get(client) === reading) this.#reading.delete(client)
    })
    this.#reading.set(client, reading)
    return reading
  }

  async #read(manager: JetStreamManager, client: string): Promise<Counted> {
    const { created, state } = await manager.streams.info(streamOf(client))
    const before = this.#clients.get(client)
    const counted = isUsable(before, { created, last: state.last_seq, now: this.#now() })
      ? before
      : { created, readAt: this.#now(), last: 0, sizes: new Map(), bytes: 0, entries: 0 }
    // What was read in part is not known.
    this.#clients.delete(client)
    if (state.last_seq > counted.last)
      await readAfter(manager, { client, counted, note: (m) => this.#note(counted, m) })
    counted.last = Math.max(counted.last, state.last_seq)
    this.#clients.set(client, counted)
    this.#forget()
    return counted
  }

  #note(counted: Counted, message: JsMsg): void {
    const key = this.#hashOf(message.subject.slice(message.subject.lastIndexOf('.') + 1))
    const before = counted.sizes.get(key) ?? 0
    const size = sizeOf(message)
    counted.sizes.set(key, size)
    counted.bytes += Math.abs(size) - Math.abs(before)
    counted.entries += Number(size > 0) - Number(before > 0)
    counted.last = Math.max(counted.last, message.seq)
  }

  #forget(): void {
    let all = [...this.#clients.values()].reduce((sum, { sizes }) => sum + sizes.size, 0)
    for (const [client, { sizes }] of this.#clients) {
      if (all <= this.#most) return
      this.#clients.delete(client)
      all -= sizes.size
    }
  }

  /** A small integer, which takes least memory; that two names share one is rare. */
  #hashOf(key: string): number {
    return hash('sha256', this.#seed + key, 'buffer').readInt32LE()
  }
}

/** A stream that was made again or restored has other messages at the same sequences. */
function isUsable(
  counted: Counted | undefined,
  { created, last, now }: { created: string; last: number; now: number },
): counted is Counted {
  return (
    counted !== undefined && counted.created === created && counted.last <= last && now - counted.readAt < RECOUNT_MS
  )
}

/** The stream of a bucket and the token of a client in it, as they stand in subjects. */
const streamOf = (client: string): string => `KV_${client.split('.', 1)[0]}`

interface Reading {
  client: string
  counted: Counted
  note: (message: JsMsg) => void
}

async function readAfter(manager: JetStreamManager, { client, counted, note }: Reading): Promise<void> {
  const first = counted.last + 1
  const consumer = await manager.jetstream().consumers.get(streamOf(client), {
    // One text, and no list: the login of the worker may not create a consumer whose filters its request does not name.
    ...{ filter_subjects: `$KV.${client}.*`, headers_only: true },
    inactive_threshold: UNUSED_MS,
    ...{ deliver_policy: 'by_start_sequence', opt_start_seq: first },
  })
  const { num_pending: pending } = await consumer.info(true)
  if (pending === 0) return void (await consumer.delete())
  const { promise: isRead, resolve, reject } = Promise.withResolvers<void>()
  const stalled = setTimeout(() => reject(new Error('the server stopped sending headers')), STALLED_MS)
  const messages = await consumer.consume({
    max_messages: AT_ONCE,
    callback: (message) => {
      stalled.refresh()
      note(message)
      if (message.info.pending === 0) resolve()
    },
  })
  try {
    await isRead
  } finally {
    clearTimeout(stalled)
    await messages.close()
    // Closing leaves the consumer, and each one makes each write slower. The server removes one whose deletion is lost.
    await consumer.delete().catch(() => undefined)
  }
}

/** What nats-server's file store has around a message, and, where it has headers, for these: their length, `NATS/1.0` and the empty line. */
const AROUND = 30
const HEADERS = 16
/** A line of a header beyond its name and its value. */
const LINE = 4

/** Bytes of a stored message; negative for the mark of an entry that was deleted or has ended. */
function sizeOf(message: JsMsg): number {
  const { subject, headers } = message
  const body = bodyOf(message)
  const lines = [...(headers ?? [])].filter(([name]) => name !== JsHeaders.MessageSizeHdr)
  const lengthOf = ([name, values]: [string, string[]]) =>
    values.reduce((sum, value) => sum + Buffer.byteLength(name) + Buffer.byteLength(value) + LINE, 0)
  const written = lines.reduce((sum, line) => sum + lengthOf(line), lines.length > 0 ? HEADERS : 0)
  const size = AROUND + Buffer.byteLength(subject) + written + body
  return body === 0 ? -size : size
}
