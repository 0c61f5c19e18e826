import { setTimeout as sleep } from 'node:timers/promises'
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import { StorageFault, streamInfo } from '#runtime/nats/ensure-storage.ts'
import { nextByNewest, nextSequence } from './next-sequence.ts'
import { BATCHES, BUCKETS } from './storage.ts'

/** The subject of the stream of batches while it takes none; `/readyz` of the API shows it. */
export const CLOSED = 'closed-until-its-sequences-are-above-those-of-vehicles'

/** Milliseconds after which the server has stored what it received before the stream was closed. */
const SETTLE_MS = 500

export interface RaisedSequences {
  /** The stream takes no batches until those that wait are processed. */
  isClosed: boolean
  /** What was wrong and what was done, a line for each. */
  told: string[]
}

/** What a worker remembers of its looks, so that not each of them reads every vehicle. */
export interface SequenceLooks {
  /** The next sequence of the stream of batches at the last look; undefined before the first. */
  next?: number
  /** The last look left the stream without its batches. */
  isClosed?: boolean
}

/**
 * Raises the sequences of a stream of batches that is behind the vehicles, as one that was restored from an older copy is: the
 * uploads in it would count as earlier than what is stored, and change nothing. NATS raises a sequence only by a purge, so the
 * stream first takes no more batches, and those that wait are processed.
 */
export async function raiseSequences(manager: JetStreamManager, looks: SequenceLooks = {}): Promise<RaisedSequences> {
  const wasClosed = looks.isClosed === true
  const { isClosed, told } = await raiseIfBehind(manager, looks)
  looks.isClosed = isClosed
  return { isClosed, told: isClosed && wasClosed ? [] : told }
}

async function raiseIfBehind(manager: JetStreamManager, looks: SequenceLooks): Promise<RaisedSequences> {
  // Vehicles first: what a batch wrote that was accepted between the two looks says nothing.
  const vehicles = await streamInfo(manager, `KV_${BUCKETS.vehicles}`)
  if (!vehicles?.config.allow_direct || vehicles.state.messages === 0) return { isClosed: false, told: [] }
  const { batches, above } = await compare(manager, vehicles, looks)
  if (!batches) return { isClosed: false, told: [] }
  if (!isClosed(batches) && above <= nextOf(batches)) {
    looks.next = nextOf(batches)
    return { isClosed: false, told: [] }
  }
  if (!isClosed(batches)) {
    await manager.streams.update(BATCHES, { subjects: [CLOSED] })
    await sleep(SETTLE_MS)
  }
  return raiseClosed(manager, vehicles, above)
}

/**
 * The stream of batches, and the sequence above the vehicles that were read: the newest, and every one at the first look and when
 * the stream has fallen since the last. New vehicles with low sequences soon are the newest, and hide those with high ones.
 */
async function compare(manager: JetStreamManager, vehicles: StreamInfo, { next: before = Infinity }: SequenceLooks) {
  const newest = await nextByNewest(manager, vehicles)
  const batches = await streamInfo(manager, BATCHES)
  if (!batches || isClosed(batches)) return { batches, above: newest }
  const next = nextOf(batches)
  if (newest > next || next >= before) return { batches, above: newest }
  const above = await nextSequence(manager, vehicles)
  return { batches: await streamInfo(manager, BATCHES), above }
}

async function raiseClosed(manager: JetStreamManager, vehicles: StreamInfo, newest: number): Promise<RaisedSequences> {
  const closed = await manager.streams.info(BATCHES)
  const { messages } = closed.state
  if (messages > 0) {
    const told = `${fault(closed, newest)}; no upload is accepted until the batches that wait (${messages}) are processed`
    return { isClosed: true, told: [told] }
  }
  const above = await nextSequence(manager, vehicles)
  // Another worker may have opened it. While it is closed no vehicle gets a higher sequence, so all purge up to the same one.
  const found = await manager.streams.info(BATCHES)
  if (!isClosed(found) || nextOf(found) >= above) return { isClosed: false, told: [] }
  await manager.streams.purge(BATCHES, { seq: above }).catch((refusal: Error) => {
    const byHand = 'make the stream anew above every vehicle, as docs/nats.md says'
    throw new StorageFault(`${fault(found, above)} (not raised: ${refusal.message}): ${byHand}`)
  })
  const since =
    'vehicles of batches that were accepted since it fell behind may be as they were, and need another upload'
  return { isClosed: false, told: [`${fault(found, above)}; it was raised, and ${since}`] }
}

const fault = (batches: StreamInfo, next: number): string =>
  `stream ${BATCHES}: its next sequence is ${nextOf(batches)}, below ${next - 1} of a stored vehicle`
const nextOf = ({ state }: StreamInfo): number => state.last_seq + 1
const isClosed = ({ config }: StreamInfo): boolean => config.subjects?.includes(CLOSED) === true
