import type { NatsConnection } from '@nats-io/transport-node'
import type { DeadLetter } from '#inventory/dead-letters.ts'
import { replay } from '#inventory/replay.ts'
import { openStore } from '#inventory/store.ts'
import { replayed, type DeadLetterEntry } from './dead-letter.ts'

/** The batches in the dead letters, in the order in which they were accepted. */
export async function keptBatches(connection: NatsConnection): Promise<DeadLetterEntry[]> {
  const store = await openStore(connection)
  const letters = await store.deadLetters.list()
  return letters.map((letter) => ({
    id: letter.jobId,
    line: line(letter),
    letter,
    replay: async () => {
      const job = await replay(letter, store)
      return job === undefined ? undefined : `replayed as job ${job}`
    },
  }))
}

const line = ({ jobId, clientId, keptAt, bytes, replays, reason }: DeadLetter): string =>
  `${jobId}  ${clientId}  ${keptAt.toISOString()}  ${bytes} bytes${replayed(replays)}  ${reason}`
