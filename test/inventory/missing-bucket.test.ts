import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { BATCHES } from '../../inventory/storage.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApiProgram, startWorkerProgram, type RunningApi } from './programs.ts'
import { storedVehicle } from './stored-vehicle.ts'
import { batch, item } from './uploads.ts'

/** Seconds, where the worker compares its storage every minute. */
const SOON = { timeoutMs: 6_000 }

async function upload({ url, token }: RunningApi, key: string): Promise<number> {
  const authorization = `Bearer ${await token('uploader')}`
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key }
  const body = JSON.stringify(batch([item('v1')]))
  return (await fetch(`${url}/batch`, { method: 'POST', headers, body })).status
}

async function start() {
  const directory = temporaryDirectory('missing-bucket')
  onTestFinished(() => directory.remove())
  const nats = await startChartNats()
  onTestFinished(() => nats.close())
  const api = await startApiProgram({
    name: 'api',
    natsUrl: nats.url,
    directory: directory.path,
    clients: ['uploader'],
  })
  onTestFinished(() => api.stop())
  const connection = await connect({ servers: nats.url })
  onTestFinished(() => connection.close())
  const manager = await jetstreamManager(connection)
  const tried = (key: string) => upload(api, key)
  await waitFor('the first upload', async () => (await tried('first')) === 201)
  return { nats, api, manager, directory, tried }
}

test('a bucket that somebody deletes is made again as soon as an upload misses it', { timeout: 120_000 }, async () => {
  const { manager, tried } = await start()
  for (const bucket of ['KV_jobs', 'KV_idempotency']) {
    await manager.streams.delete(bucket)
    await waitFor(`an upload without ${bucket}`, async () => (await tried(bucket)) === 201, SOON)
    expect((await manager.streams.info(bucket)).config.name).toBe(bucket)
  }
})

test(
  'an API that may not make the missing stream is not ready, until the worker has',
  { timeout: 120_000 },
  async () => {
    const { nats, api, manager, directory, tried } = await start()
    await manager.jetstream().publish('$KV.vehicles.a.b', JSON.stringify(storedVehicle('v1', {})))
    await manager.streams.delete(BATCHES)
    expect(await tried('missing')).toBe(503)
    const ready = () => fetch(`${api.healthUrl}/readyz`)
    await waitFor('the verdict', async () => (await ready()).status === 503, SOON)
    expect(await (await ready()).text()).toContain('the stream BATCHES is missing; the worker creates it')
    const worker = await startWorkerProgram(nats.url, directory.path)
    onTestFinished(() => worker.stop())
    await waitFor('an upload', async () => (await tried('again')) === 201, SOON)
    expect((await ready()).status).toBe(200)
  },
)
