import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../inventory/store.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { judgeUploads, waitingBatches } from './judge-uploads.ts'
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
    const directory = temporaryDirectory('faults')
    // The last that began ends first, however the test ends.
    onTestFinished(() => directory.remove())
    const nats = await startChartNats()
    onTestFinished(() => nats.close())
    const natsUrl = nats.url
    const api = await startApiProgram({ name: 'api', natsUrl, directory: directory.path, clients: CLIENTS })
    onTestFinished(() => api.stop())
    const worker = await startWorkerProgram(natsUrl, directory.path)
    onTestFinished(() => worker.stop())
    const restartNats = async () => {
      await nats.kill()
      await nats.start()
    }

    const end = new AbortController()
    onTestFinished(() => end.abort())
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
    onTestFinished(() => connection.close())
    const store = await openStore(connection)
    await waitFor('an empty queue', async () => (await waitingBatches(store)) === 0, { timeoutMs: 120_000 }).catch(
      () => undefined,
    )
    const figures = await judgeUploads(store, uploaders, ITEMS)
    console.log(`faults, sync_interval 2m: ${JSON.stringify({ kills: ROUNDS * 3, ...figures })}`)
    const deadLetters = (await store.deadLetters.list()).length
    expect({ ...figures, deadLetters }).toMatchObject({
      lost: 0,
      miscounted: 0,
      wrongOrder: 0,
      stuck: 0,
      deadLetters: 0,
    })
  },
)
