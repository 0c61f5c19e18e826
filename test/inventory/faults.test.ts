import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../inventory/store.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { judgeUploads, NO_FAULT, untilDone } from './judge-uploads.ts'
import { CLIENTS, ITEMS, startUploaders } from './many-uploaders.ts'
import { startMoodySource } from './moody-source.ts'
import { startApiProgram, startWorkerProgram } from './programs.ts'

const ROUNDS = 4

test(
  'while worker, API and nats-server are killed again and again, no accepted batch is lost, late or stuck, and no picture is lost silently',
  { timeout: 1_200_000 },
  async () => {
    // The server's sync setting is its default: written through to the operating system at once, to the disk every two
    // minutes. This shows the death of processes, not of power.
    const directory = temporaryDirectory('faults')
    // The last that began ends first, however the test ends.
    onTestFinished(() => directory.remove())
    const source = await startMoodySource()
    onTestFinished(() => source.close())
    const nats = await startChartNats()
    onTestFinished(() => nats.close())
    const natsUrl = nats.url
    const api = await startApiProgram({ name: 'api', natsUrl, directory: directory.path, clients: CLIENTS })
    onTestFinished(() => api.stop())
    const worker = await startWorkerProgram(natsUrl, directory.path, { IMAGE_ALLOWED_ADDRESSES: '127.0.0.1' })
    onTestFinished(() => worker.stop())
    const restartNats = async () => {
      await nats.kill()
      await nats.start()
    }

    const uploads = startUploaders(api, source)
    // Not waited for: where the API did not start again, they have no end.
    onTestFinished(() => void uploads.end())
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kill of [() => worker.killAndStart(), () => api.killAndStart(), restartNats]) {
        await uploads.more('before the next kill')
        await kill()
      }
    }
    await uploads.end()

    const connection = await connect({ servers: natsUrl, maxReconnectAttempts: -1 })
    onTestFinished(() => connection.close())
    const store = await openStore(connection)
    await untilDone(store)
    const figures = await judgeUploads(store, uploads.uploaders, ITEMS)
    console.log(`faults, sync_interval 2m: ${JSON.stringify({ kills: ROUNDS * 3, ...figures })}`)
    expect(figures).toMatchObject(NO_FAULT)
    expect(figures.batches).toBeGreaterThanOrEqual(2_000)
    expect(Math.min(figures.accepted, figures.lateAdded, figures.refused)).toBeGreaterThan(0)
  },
)
