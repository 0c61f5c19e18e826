import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream'
import { orderOf, READ_MS } from './vehicles-together.ts'

const AT_ONCE = { batch: 1_000, max_bytes: 8 * 1024 * 1024 }
/** Of more batches than one, which has a hundred at most. */
const NEWEST = 300

/**
 * The sequence after the latest batch that wrote a stored vehicle. It reads every vehicle: for a stream of batches that
 * is created beside vehicles, because a clock that was ahead may have given the lost stream sequences of the future.
 */
export const nextSequence = (manager: JetStreamManager, vehicles: StreamInfo): Promise<number> =>
  nextFrom(manager, vehicles, vehicles.state.first_seq)

/** The same by the vehicles that were stored last, for a check that is repeated. */
export const nextByNewest = (manager: JetStreamManager, vehicles: StreamInfo): Promise<number> =>
  nextFrom(manager, vehicles, Math.max(vehicles.state.first_seq, vehicles.state.last_seq - NEWEST))

async function nextFrom(manager: JetStreamManager, vehicles: StreamInfo, first: number): Promise<number> {
  const { last_seq: last } = vehicles.state
  let latest = 0
  for (let from = first; from <= last;) {
    const read = await manager.direct.getBatch(vehicles.config.name, { seq: from, ...AT_ONCE })
    const before = from
    const late = setTimeout(() => read.stop(new Error('the server did not end its answer')), READ_MS)
    try {
      for await (const message of read) {
        latest = Math.max(latest, sequenceOf(message))
        from = message.seq + 1
      }
    } finally {
      clearTimeout(late)
    }
    if (from === before) break
  }
  return latest + 1
}

/** 0 for what is no vehicle, because that never makes a batch wait. */
const sequenceOf = (message: StoredMsg): number => orderOf(message)?.sequence ?? 0
