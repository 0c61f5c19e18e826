import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { startNatsCluster } from '../harness/nats-cluster.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { judgeUploads, waitingBatches } from './judge-uploads.ts'
import { startApiProgram, startWorkerProgram } from './programs.ts'
import { uploadSteadily, type SteadyUploader } from './steady-uploader.ts'

const CLIENTS = ['north', 'south', 'east']
const ITEMS = 10
/** Batches of each client that are accepted while a server is dead. */
const MORE = 10
/** The server that leads each of these is killed, one after another. */
const LED = ['BATCHES', 'KV_vehicles', 'KV_jobs']

test(
  'with three replicas, uploads go on while the leader of each stream is killed, and no accepted batch is lost, late or stuck',
  { timeout: 420_000 },
  async () => {
    const directory = temporaryDirectory('replicas')
    // The last that began ends first, however the test ends.
    onTestFinished(() => directory.remove())
    const cluster = await startNatsCluster()
    onTestFinished(() => cluster.close())
    const env = { NATS_URL: cluster.url, NATS_REPLICAS: '3', NATS_STORE_MEGABYTES: '256' }
    const worker = await startWorkerProgram(cluster.url, directory.path, env)
    onTestFinished(() => worker.stop())
    const options = { name: 'api', natsUrl: cluster.url, directory: directory.path, clients: CLIENTS, env }
    const api = await startApiProgram(options)
    onTestFinished(() => api.stop())
    const connection = await connect({
      servers: cluster.url.split(','),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
    })
    onTestFinished(() => connection.close())
    const store = await waitFor('the storage', () => openStore(connection), { timeoutMs: 60_000 })

    const end = new AbortController()
    onTestFinished(() => end.abort())
    const uploaders = CLIENTS.map((clientId): SteadyUploader => ({ clientId, accepted: [], retries: 0 }))
    const uploading = uploaders.map((uploader) => uploadSteadily(api, uploader, { items: ITEMS, until: end.signal }))
    const more = async (when: string) => {
      const before = uploaders.map(({ accepted }) => accepted.length)
      const isMore = async () => uploaders.every(({ accepted }, index) => accepted.length >= before[index]! + MORE)
      await waitFor(`accepted batches ${when}`, isMore, { timeoutMs: 60_000 })
    }
    await more('before the first kill')
    const kills: string[] = []
    for (const stream of LED) {
      const leader = await waitFor(`the leader of ${stream}`, () => leaderOf(store, stream), { timeoutMs: 30_000 })
      await cluster.kill(leader)
      kills.push(`${stream} ${leader}`)
      await more(`while ${leader}, which led ${stream}, is dead`)
      await cluster.start(leader)
    }
    end.abort()
    await Promise.all(uploading)

    const isDone = async () => (await waitingBatches(store)) === 0
    await waitFor('an empty queue', isDone, { timeoutMs: 120_000 }).catch(() => undefined)
    const figures = await judgeUploads(store, uploaders, ITEMS)
    console.log(`faults, three replicas: ${JSON.stringify({ kills, ...figures })}`)
    const deadLetters = (await store.deadLetters.list()).length
    const none = { lost: 0, miscounted: 0, wrongOrder: 0, stuck: 0, deadLetters: 0 }
    expect({ ...figures, deadLetters }).toMatchObject(none)
  },
)

const leaderOf = async ({ manager }: InventoryStore, stream: string) =>
  (await manager.streams.info(stream)).cluster?.leader
