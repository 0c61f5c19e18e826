import type { ObjectInfo, ObjectStore } from '@nats-io/obj'
import type { Announcement } from './outbox.ts'
import { pack, unpack } from './packed.ts'

const NAME = 'rate-sets'
/** Milliseconds after which a reading that has not ended counts as failed: the library waits for lost chunks for ever. */
const READING_MS = 30_000

/** The last announcement; undefined when there is none. */
export async function readAnnounced(store: ObjectStore): Promise<Announcement | undefined> {
  const bytes = await inTime(store.getBlob(NAME))
  return bytes ? unpack<Announcement>(bytes) : undefined
}

/** Replaces the last announcement; throws when a later one is there, as from an operator that leads since. */
export async function writeAnnounced(store: ObjectStore, announcement: Announcement): Promise<void> {
  const found = await store.info(NAME)
  const last = numberOf(found)
  if (last >= announcement.number) throw new Error(`announcement ${last} is there already`)
  const meta = { name: NAME, metadata: { number: String(announcement.number) } }
  // Readers see the old one until the last write of the new, which is of one message.
  await store.putBlob(meta, pack(announcement), { previousRevision: found?.revision ?? 0 })
}

const numberOf = (info: ObjectInfo | null): number => Number(info?.metadata?.['number'] ?? 0)

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the announced rate sets were not read in time')), READING_MS)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
