import type { InventoryStore } from '../../inventory/store.ts'
import type { SteadyUploader } from './steady-uploader.ts'

/** Batches that are not finished. */
export const waitingBatches = async ({ manager }: InventoryStore) =>
  (await manager.streams.info('BATCHES')).state.messages

/** What has become of all accepted batches, each with `items` vehicles; asked when the queue is empty. */
export async function judgeUploads(store: InventoryStore, uploaders: readonly SteadyUploader[], items: number) {
  const all = uploaders.flatMap(({ clientId, accepted }) => accepted.map((each) => ({ clientId, ...each })))
  const jobs = await Promise.all(all.map(({ clientId, jobId }) => store.jobs.read(clientId, jobId)))
  const vehicles = (await Promise.all(uploaders.map((uploader) => judgeVehicles(store, uploader)))).flat()
  return {
    ...{ batches: all.length, items: all.length * items, vehicles: vehicles.length },
    requestsRepeated: uploaders.reduce((sum, { retries }) => sum + retries, 0),
    attemptsRepeated: jobs.reduce((sum, job) => sum + Math.max(0, (job?.record.attempts ?? 1) - 1), 0),
    lost: jobs.filter((job) => !job).length + vehicles.filter((verdict) => verdict === 'lost').length,
    miscounted: jobs.filter((job) => job?.record.status === 'completed' && job.record.counts.accepted !== items).length,
    wrongOrder: vehicles.filter((verdict) => verdict === 'older').length,
    stuck: jobs.filter((job) => job?.record.status === 'processing').length,
  }
}

/** For each vehicle, whether it is there as the last accepted batch had it. */
async function judgeVehicles(store: InventoryStore, { clientId, accepted }: SteadyUploader) {
  const last = new Map(accepted.flatMap(({ number, sourceIds }) => sourceIds.map((id) => [id, number] as const)))
  return Promise.all(
    [...last].map(async ([sourceId, number]) => {
      const stored = await store.vehicles.read(clientId, sourceId)
      if (!stored) return 'lost'
      return stored.item.vehicle['odometer'] === number ? 'right' : 'older'
    }),
  )
}
