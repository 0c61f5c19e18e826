import type { JetStreamManager } from '@nats-io/jetstream'
import { headers, RequestError, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { isConsumerMissing, isConsumerOtherwise, unlessConflict } from '#runtime/nats/jetstream-error.ts'
import { consumerDifferences, updateConsumer } from '#runtime/nats/ensure-storage.ts'
import { batchSubject, BATCHES, consumerOf, QUEUED } from './storage.ts'
import { jobIdOf, readOrigin, SEQUENCE_HEADER, toBatch, type QueuedBatch } from './batch-queue.ts'

/**
 * A batch that was delivered to this worker, which owns it until it reports the outcome or stops sending signs of life.
 */
export interface DeliveredBatch {
  batch: QueuedBatch
  /** Sequence of the message in its stream, which identifies a repeated delivery. */
  place: number
  isAgain: boolean
  /** Batches of the client that no worker has, counted at the delivery. */
  waiting: number
  ack(): void
  nak(afterMs?: number): void
  term(reason?: string): void
  working(): void
}

/**
 * The stream of batches for programs that process batches: one queue per client, named by the client's token in
 * subjects.
 */
export interface ClientQueues {
  /** The clients with batches in the stream, each with the number of its batches, whether delivered or not. */
  list(): Promise<Map<string, number>>
  /**
   * Reports each batch that is stored from now on, at most once and without guarantee, and each return of a lost
   * connection, before which reports were missed; returns a function that stops it.
   */
  follow(tell: (token: string) => void, missed: () => void): () => void
  /** The next batch of a client that no worker has; undefined when there is none. */
  next(token: string): Promise<DeliveredBatch | undefined>
  /**
   * Gives the consumer of a client its declared settings when somebody has changed or paused it; returns what differed.
   */
  mend(token: string): Promise<string[]>
  /** Batches of a client that wait or are in progress. */
  left(token: string): Promise<number>
}

const ANSWER_MS = 5_000
const ONE_NOW = JSON.stringify({ batch: 1, no_wait: true })

export function clientQueues(connection: NatsConnection, manager: JetStreamManager): ClientQueues {
  return {
    list: () => listClients(manager),
    follow: (tell, missed) => {
      const callback = (_: unknown, { subject }: Msg) => {
        const token = tokenOf(subject)
        if (token !== undefined) tell(token)
      }
      const subscription = connection.subscribe(`${QUEUED}.>`, { callback })
      void eachReturn(connection, () => !subscription.isClosed() && missed())
      return () => subscription.unsubscribe()
    },
    next: async (token) => {
      const config = consumerOf(token)
      const answer = await pull(connection, config.durable_name).catch(async (error: unknown) => {
        if (!(error instanceof RequestError && error.isNoResponders())) throw error
        await manager.consumers.add(BATCHES, config).catch(unlessOtherwise)
        return pull(connection, config.durable_name)
      })
      return answer.reply === undefined || answer.reply === '' ? undefined : delivered(answer, answer.reply, connection)
    },
    mend: async (token) => {
      const config = consumerOf(token)
      const differing = (await consumerDifferences(manager, BATCHES, config)) ?? []
      if (differing.length > 0) await updateConsumer(manager, BATCHES, config)
      return differing
    },
    left: async (token) => {
      const name = consumerOf(token).durable_name
      const found = await manager.consumers.info(BATCHES, name).catch(unlessMissing)
      return found ? found.num_pending + found.num_ack_pending : 0
    },
  }
}

async function eachReturn(connection: NatsConnection, returned: () => void): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'reconnect') returned()
}

async function listClients(manager: JetStreamManager): Promise<Map<string, number>> {
  const found = (await manager.streams.info(BATCHES, { subjects_filter: 'batches.>' })).state.subjects ?? {}
  const counts = new Map<string, number>()
  for (const subject of Object.keys(found)) {
    const token = tokenOf(subject) ?? (await adopt(manager, subject))
    if (token !== undefined) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return counts
}

/** The server delivers a batch under the batch's own subject, which the library's usual request does not recognize. */
const pull = (connection: NatsConnection, name: string): Promise<Msg> =>
  connection.request(`$JS.API.CONSUMER.MSG.NEXT.${BATCHES}.${name}`, ONE_NOW, {
    timeout: ANSWER_MS,
    noMux: true,
  })

/**
 * The client token in the subject of a batch; undefined for a subject from before clients had subjects of their own.
 */
function tokenOf(subject: string): string | undefined {
  const parts = subject.split('.')
  return parts.length === 3 ? parts[1] : undefined
}

function unlessMissing(error: unknown): undefined {
  if (!isConsumerMissing(error)) throw error
}

function unlessOtherwise(error: unknown): void {
  if (!isConsumerOtherwise(error)) throw error
}

/** The parts of an acknowledgement subject: nats-server's `ackReplyT`, or `ackReplySubjectV2` with two tokens more. */
function readReply(reply: string) {
  const tokens = reply.split('.')
  const [deliveries = 1, place = 0, , nanoseconds = 0, waiting = 0] = tokens
    .slice(tokens.length > 9 ? 6 : 4)
    .map(Number)
  return { deliveries, place, time: new Date(nanoseconds / 1_000_000), waiting }
}

function delivered(message: Msg, reply: string, connection: NatsConnection): DeliveredBatch {
  const { deliveries, place, time, waiting } = readReply(reply)
  const say = (word: string) => connection.publish(reply, word)
  return {
    batch: batchIn(message, place, time),
    place,
    waiting,
    isAgain: deliveries > 1,
    ack: () => say('+ACK'),
    nak: (afterMs = 0) => say(afterMs > 0 ? `-NAK {"delay":${afterMs * 1_000_000}}` : '-NAK'),
    term: (reason = '') => say(`+TERM ${reason}`),
    working: () => say('+WPI'),
  }
}

/** Apart, because the functions of one call share what any of them uses: `say` would keep the bytes of the message. */
const batchIn = (message: Msg, place: number, time: Date): QueuedBatch =>
  toBatch({ subject: message.subject, seq: place, time, string: () => message.string() }, message.headers)

/**
 * Moves a batch of an earlier version to the subject of its client, keeping its sequence, and returns the client's
 * token. When this is interrupted, or done by two workers at once, the batch is there twice; the second one finds its
 * job completed.
 */
async function adopt(manager: JetStreamManager, former: string): Promise<string | undefined> {
  const found = await manager.streams.getMessage(BATCHES, { last_by_subj: former })
  if (!found) return undefined
  const written = headers()
  for (const [name, values] of found.header ?? []) for (const value of values) written.append(name, value)
  if (!written.has(SEQUENCE_HEADER)) written.set(SEQUENCE_HEADER, String(found.seq))
  const subject = batchSubject(readOrigin(found.header).clientId, jobIdOf(former))
  await manager
    .jetstream()
    .publish(subject, found.data, { headers: written, expect: { lastSubjectSequence: 0 } })
    .catch(unlessConflict)
  await manager.streams.deleteMessage(BATCHES, found.seq)
  return tokenOf(subject)
}
