import { JetStreamApiError } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { followNats, type NatsOptions } from '#runtime/nats/connection.ts'
import { openJetStream, type OpenJetStream } from '#runtime/nats/jetstream.ts'
import type { Destination } from './decision-log.ts'

/** The stream that is made where there is none. */
export const DECISIONS_STREAM = 'DECISIONS'
const NOT_FOUND = 10059

export interface JetStreamDestinationOptions extends Omit<NatsOptions, 'name' | 'prepare'> {
  subject: string
  /** Bytes that the stream may store; beyond that the oldest decisions go. */
  maxBytes: number
}

/** A JetStream subject: a message for each decision. While the server is away, decisions are lost. */
export function jetStreamDestination({ subject, maxBytes, ...nats }: JetStreamDestinationOptions): Destination {
  let opened: OpenJetStream | undefined
  const followed = followNats({
    ...nats,
    name: 'driveaway-pricing',
    prepare: async (connection: NatsConnection) => {
      const jetStream = await openJetStream(connection)
      await ensureStream(jetStream, subject, maxBytes)
      opened = jetStream
    },
  })
  return {
    write: async (lines) => {
      const { client } = (followed.connection() && opened) || refuse(followed.ready().body.nats)
      const sent = await Promise.allSettled(lines.map((line) => client.publish(subject, line)))
      const failed = sent.filter((each) => each.status === 'rejected')
      if (failed.length === lines.length) throw failed[0]!.reason
      return failed.length
    },
    stop: () => followed.stop(),
  }
}

/** Leaves a stream as somebody made it. */
async function ensureStream({ manager }: OpenJetStream, subject: string, maxBytes: number): Promise<void> {
  try {
    await manager.streams.info(DECISIONS_STREAM)
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== NOT_FOUND) throw error
    await manager.streams.add({ name: DECISIONS_STREAM, subjects: [subject], max_bytes: maxBytes })
  }
}

function refuse(why: string): never {
  throw new Error(`NATS: ${why}`)
}
