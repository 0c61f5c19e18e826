import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream'
import { orderOf } from './vehicles-together.ts'

const AT_ONCE = { batch: 1_000, max_bytes: 8 * 1024 * 1024 }

/**
 * The sequence after the latest batch that wrote a stored vehicle. It reads every vehicle: for a stream of batches that
 * is created beside vehicles, because a clock that was ahead may have given the lost stream sequences of the future.
 */
export async function nextSequence(manager: JetStreamManager, vehicles: StreamInfo): Promise<number> {
  const { first_seq: first, last_seq: last } = vehicles.state
  let latest = 0
  for (let from = first; from <= last;) {
    const read = await manager.direct.getBatch(vehicles.config.name, { seq: from, ...AT_ONCE })
    const before = from
    for await (const message of read) {
      latest = Math.max(latest, sequenceOf(message))
      from = message.seq + 1
    }
    if (from === before) break
  }
  return latest + 1
}

/** 0 for what is no vehicle, because that never makes a batch wait. */
function sequenceOf(message: StoredMsg): number {
  try {
    return orderOf(message)?.sequence ?? 0
  } catch {
    return 0
  }
}
