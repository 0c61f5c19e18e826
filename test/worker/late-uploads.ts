import { randomUUIDv7 } from 'node:crypto'
import type { Item } from '../../inventory/batch.ts'
import { newJob, type JobRecord } from '../../inventory/job.ts'
import { LATE_PICTURES } from '../../inventory/storage.ts'
import type { InventoryStore } from '../../inventory/store.ts'
import { waitFor } from '../harness/wait-for.ts'
import { batch } from '../inventory/uploads.ts'

/** Queues an upload of one vehicle of the client `uploader`; gives its job when it is completed. */
export async function completedUpload(store: InventoryStore, sent: Item, options: object = {}): Promise<JobRecord> {
  const id = randomUUIDv7()
  const owner = { clientId: 'uploader', clientUid: 'uploader' }
  await store.jobs.create(newJob({ ...owner, id, createdAt: new Date(), moderateImages: true }))
  await store.queue.publish(id, JSON.stringify(batch([sent], options)), { ...owner, replays: 0 })
  return waitFor('the job', async () => {
    const record = (await store.jobs.read('uploader', id))?.record
    return record?.status === 'completed' && record
  })
}

export const noLatePictures = (store: InventoryStore): Promise<unknown> =>
  waitFor(
    'the end of all late pictures',
    async () => (await store.manager.streams.info(LATE_PICTURES)).state.messages === 0,
  )
