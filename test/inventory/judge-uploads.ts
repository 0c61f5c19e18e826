import type { JobRecord } from '../../inventory/job.ts'
import { LATE_PICTURES } from '../../inventory/storage.ts'
import type { InventoryStore } from '../../inventory/store.ts'
import type { VehicleRecord } from '../../inventory/vehicles.ts'
import { waitFor } from '../harness/wait-for.ts'
import { judgePictures } from './judge-pictures.ts'
import type { AcceptedBatch, SteadyUploader } from './steady-uploader.ts'

/** Returns when no batch and no late picture waits, or when there is no hope of that. */
export async function untilDone({ manager }: InventoryStore): Promise<void> {
  for (const stream of ['BATCHES', LATE_PICTURES]) {
    const isEmpty = async () => (await manager.streams.info(stream)).state.messages === 0
    await waitFor(`the end of ${stream}`, isEmpty, { timeoutMs: 300_000 }).catch(() => undefined)
  }
}

/** An accepted batch, with its job. */
interface Finished extends AcceptedBatch {
  clientId: string
  job: JobRecord | undefined
}

/** What has become of all accepted batches, each with `items` vehicles; asked when everything is done. */
export async function judgeUploads(store: InventoryStore, uploaders: readonly SteadyUploader[], items: number) {
  const all = await Promise.all(
    uploaders.flatMap(({ clientId, accepted }) =>
      accepted.map(async (each): Promise<Finished> => {
        const job = await store.jobs.read(clientId, each.jobId)
        return { ...each, clientId, job: job?.record }
      }),
    ),
  )
  const jobs = all.map(({ job }) => job)
  const stored = await storedVehicles(store, all)
  const verdicts = [...latestNumbers(all)].map(([name, number]) => judgeVehicle(stored.get(name), number))
  return {
    ...{ batches: all.length, items: all.length * items, vehicles: verdicts.length },
    requestsRepeated: uploaders.reduce((sum, { retries }) => sum + retries, 0),
    attemptsRepeated: jobs.reduce((sum, job) => sum + Math.max(0, (job?.attempts ?? 1) - 1), 0),
    lost: jobs.filter((job) => !job).length + verdicts.filter((verdict) => verdict === 'lost').length,
    miscounted: jobs.filter((job) => job?.status === 'completed' && job.counts.accepted !== items).length,
    wrongOrder: verdicts.filter((verdict) => verdict === 'older').length,
    stuck: jobs.filter((job) => job?.status === 'processing').length,
    deadLetters: (await store.deadLetters.list()).length,
    ...judgePictures(
      all.flatMap(({ clientId, vehicles, job }) =>
        vehicles.map((sent, index) => ({ sent, index, job, stored: stored.get(nameOf(clientId, sent.sourceId)) })),
      ),
    ),
  }
}

/** Counters that have to be 0. */
export const NO_FAULT = {
  ...{ lost: 0, miscounted: 0, wrongOrder: 0, stuck: 0, deadLetters: 0 },
  ...{ refusedWrongly: 0, shownWrongly: 0, lostSilently: 0 },
}

const nameOf = (clientId: string, sourceId: string): string => `${clientId} ${sourceId}`

/** Of each vehicle, the number of the last accepted batch that has it. */
const latestNumbers = (all: readonly Finished[]) =>
  new Map(
    all.flatMap(({ clientId, number, vehicles }) =>
      vehicles.map(({ sourceId }) => [nameOf(clientId, sourceId), number] as const),
    ),
  )

async function storedVehicles(store: InventoryStore, all: readonly Finished[]) {
  const names = new Map(
    all.flatMap(({ clientId, vehicles }) =>
      vehicles.map(({ sourceId }) => [nameOf(clientId, sourceId), [clientId, sourceId]] as const),
    ),
  )
  const read = async ([name, [clientId, sourceId]]: readonly [string, readonly [string, string]]) =>
    [name, await store.vehicles.read(clientId, sourceId)] as const
  return new Map(await Promise.all([...names].map(read)))
}

/** Whether a vehicle is there as the last accepted batch had it. */
function judgeVehicle(stored: VehicleRecord | undefined, number: number): 'right' | 'older' | 'lost' {
  if (!stored) return 'lost'
  return stored.item.vehicle['odometer'] === number ? 'right' : 'older'
}
