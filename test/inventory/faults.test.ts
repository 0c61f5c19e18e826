import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApiProgram, startWorkerProgram } from './programs.ts'
import { uploadSteadily, type SteadyUploader } from './steady-uploader.ts'

const CLIENTS = ['north', 'south', 'east']
const ITEMS = 40
const ROUNDS = 3
/** Between two kills, so that each finds work in every part again. */
const PAUSE_MS = 1_500

test(
  'while worker, API and nats-server are killed again and again, no accepted batch is lost, late or stuck',
  { timeout: 420_000 },
  async () => {
    // The server's sync setting is its default: written through to the operating system at once, to the disk every two
    // minutes. This shows the death of processes, not of power.
    const nats = await startChartNats()
    const directory = temporaryDirectory('faults')
    const natsUrl = nats.url
    const api = await startApiProgram({ name: 'api', natsUrl, directory: directory.path, clients: CLIENTS })
    const worker = await startWorkerProgram(natsUrl, directory.path)
    const restartNats = async () => {
      await nats.kill()
      await nats.start()
    }

    const end = new AbortController()
    const uploaders = CLIENTS.map((clientId): SteadyUploader => ({ clientId, accepted: [], retries: 0 }))
    const uploading = uploaders.map((uploader) => uploadSteadily(api, uploader, { items: ITEMS, until: end.signal }))
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kill of [() => worker.killAndStart(), () => api.killAndStart(), restartNats]) {
        await sleep(PAUSE_MS + Math.random() * PAUSE_MS)
        await kill()
      }
    }
    const accepted = () => uploaders.reduce((sum, each) => sum + each.accepted.length, 0)
    await waitFor('thousands of items', () => accepted() * ITEMS > 2_000, { timeoutMs: 120_000 })
    end.abort()
    await Promise.all(uploading)

    const connection = await connect({ servers: natsUrl, maxReconnectAttempts: -1 })
    const store = await openStore(connection)
    await waitFor('an empty queue', async () => (await waiting(store)) === 0, { timeoutMs: 120_000 }).catch(
      () => undefined,
    )
    const figures = await judge(store, uploaders)
    console.log(`faults, sync_interval 2m: ${JSON.stringify({ kills: ROUNDS * 3, ...figures })}`)
    const deadLetters = (await store.deadLetters.list()).length
    await connection.close()
    await worker.stop()
    await api.stop()
    await nats.close()
    directory.remove()
    expect({ ...figures, deadLetters }).toMatchObject({
      lost: 0,
      miscounted: 0,
      wrongOrder: 0,
      stuck: 0,
      deadLetters: 0,
    })
  },
)

const waiting = async ({ manager }: InventoryStore) => (await manager.streams.info('BATCHES')).state.messages

async function judge(store: InventoryStore, uploaders: readonly SteadyUploader[]) {
  const all = uploaders.flatMap(({ clientId, accepted }) => accepted.map((each) => ({ clientId, ...each })))
  const jobs = await Promise.all(all.map(({ clientId, jobId }) => store.jobs.read(clientId, jobId)))
  const vehicles = (await Promise.all(uploaders.map((uploader) => judgeVehicles(store, uploader)))).flat()
  return {
    ...{ batches: all.length, items: all.length * ITEMS, vehicles: vehicles.length },
    requestsRepeated: uploaders.reduce((sum, { retries }) => sum + retries, 0),
    attemptsRepeated: jobs.reduce((sum, job) => sum + Math.max(0, (job?.record.attempts ?? 1) - 1), 0),
    lost: jobs.filter((job) => !job).length + vehicles.filter((verdict) => verdict === 'lost').length,
    miscounted: jobs.filter((job) => job?.record.status === 'completed' && job.record.counts.accepted !== ITEMS).length,
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
