import type { ObjectStore } from '@nats-io/obj'
import type { Announcement } from './outbox.ts'
import { pack, unpack } from './packed.ts'

const PREFIX = 'rate-sets.'
/** Milliseconds after which an unfinished read counts as failed, because the library waits for lost chunks for ever. */
const READING_MS = 30_000

/** The rate sets of an announcement; undefined when they are not stored, or no longer. */
export async function readAnnounced(store: ObjectStore, number: number): Promise<Announcement | undefined> {
  const bytes = await inTime(store.getBlob(PREFIX + number))
  return bytes ? unpack<Announcement>(bytes) : undefined
}

/** Stores the rate sets of an announcement, and replaces those stored under its number before. */
export async function writeAnnounced(store: ObjectStore, announcement: Announcement): Promise<void> {
  await store.putBlob({ name: PREFIX + announcement.number }, pack(announcement))
}

/** Deletes the rate sets of every announcement except these. */
export async function pruneAnnounced(store: ObjectStore, kept: readonly number[]): Promise<void> {
  const names = new Set(kept.map((number) => PREFIX + number))
  for (const { name } of await store.list()) if (!names.has(name)) await store.delete(name)
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the announced rate sets were not read in time')), READING_MS)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
