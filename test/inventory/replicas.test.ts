import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { startNatsCluster } from '../harness/nats-cluster.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { judgeUploads, NO_FAULT, untilDone } from './judge-uploads.ts'
import { CLIENTS, ITEMS, startUploaders } from './many-uploaders.ts'
import { startMoodySource } from './moody-source.ts'
import { startApiProgram, startWorkerProgram } from './programs.ts'

/** The server that leads each of these is killed, one after another. */
const LED = ['BATCHES', 'KV_vehicles', 'KV_jobs', 'LATE_PICTURES']

test(
  'with three replicas, uploads go on while the leader of each stream is killed, and worker and API too: no accepted batch is lost, late or stuck, and no picture is lost silently',
  { timeout: 1_200_000 },
  async () => {
    const directory = temporaryDirectory('replicas')
    // The last that began ends first, however the test ends.
    onTestFinished(() => directory.remove())
    const source = await startMoodySource()
    onTestFinished(() => source.close())
    const cluster = await startNatsCluster()
    onTestFinished(() => cluster.close())
    const env = { NATS_URL: cluster.url, NATS_REPLICAS: '3', NATS_STORE_MEGABYTES: '256' }
    const moderating = { ...env, IMAGE_ALLOWED_ADDRESSES: '127.0.0.1' }
    const worker = await startWorkerProgram(cluster.url, directory.path, moderating)
    onTestFinished(() => worker.stop())
    const options = { name: 'api', natsUrl: cluster.url, directory: directory.path, clients: CLIENTS, env }
    const api = await startApiProgram(options)
    onTestFinished(() => api.stop())
    const servers = cluster.url.split(',')
    const connection = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 200 })
    onTestFinished(() => connection.close())
    const store = await waitFor('the storage', () => openStore(connection), { timeoutMs: 60_000 })

    const uploads = startUploaders(api, source)
    // Not waited for: where the API did not start again, they have no end.
    onTestFinished(() => void uploads.end())
    const kills: string[] = []
    for (const [round, stream] of LED.entries()) {
      await uploads.more('before the next kill')
      const leader = await waitFor(`the leader of ${stream}`, () => leaderOf(store, stream), { timeoutMs: 30_000 })
      await cluster.kill(leader)
      kills.push(`${stream} ${leader}`)
      await uploads.more(`while ${leader}, which led ${stream}, is dead`)
      // In every second round the worker is killed while only two servers are there.
      const next = [() => worker.killAndStart(), () => cluster.start(leader)]
      for (const each of round % 2 === 0 ? next : next.reverse()) await each()
      await uploads.more('before the API is killed')
      await api.killAndStart()
      kills.push('worker', 'api')
    }
    await uploads.end()

    await untilDone(store)
    const figures = await judgeUploads(store, uploads.uploaders, ITEMS)
    console.log(`faults, three replicas: ${JSON.stringify({ kills, ...figures })}`)
    expect(figures).toMatchObject(NO_FAULT)
    expect(figures.batches).toBeGreaterThanOrEqual(2_000)
    expect(Math.min(figures.accepted, figures.lateAdded, figures.refused)).toBeGreaterThan(0)
  },
)

const leaderOf = async ({ manager }: InventoryStore, stream: string) =>
  (await manager.streams.info(stream)).cluster?.leader
