import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../inventory/job.ts'
import { openStore } from '../../inventory/store.ts'
import type { Program } from '../../tools/stack/programs.ts'
import { asUser, startChartNats } from '../harness/chart-nats.ts'
import type { TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { batch, item } from '../inventory/uploads.ts'
import { tokenOf } from './quotes.ts'
import { startStack, type Stack } from './stack.ts'

let nats: TestNats
let stack: Stack
let url: string

beforeAll(async () => {
  nats = await startChartNats()
  stack = await startStack((plan) => plan.map(withNats))
}, 180_000)
afterAll(async () => {
  await stack?.stop()
  await nats?.close()
})

function withNats(program: Program): Program {
  if (program.name === 'inventory') url = `http://127.0.0.1:${program.env['INVENTORY_PORT']}`
  if (program.name !== 'inventory' && program.name !== 'worker') return program
  return { ...program, env: { ...program.env, NATS_URL: asUser(nats.url, program.name) } }
}

test('a batch of 100 vehicles with pictures goes through the whole stack to completed, and its vehicles can be read', async () => {
  const secret = await stack.secretOf('uploader')
  const token = await waitFor('a token', () => tokenOf(stack, 'uploader', secret), { timeoutMs: 60_000 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  // An address that no moderator may fetch: each picture is rejected, and each vehicle stored without it.
  const assets = [{ type: 'image', src: 'https://127.0.0.1/1.jpg' }]
  const body = JSON.stringify(batch(Array.from({ length: 100 }, (_, index) => item(`s${index}`, { assets }))))
  const jobId = await waitFor('a 201', async () => {
    const response = await fetch(`${url}/batch`, { method: 'POST', headers, body })
    return ((await response.json()) as { job_id?: string }).job_id
  })
  const job = await waitFor('the job', async () => {
    const found = (await (await fetch(`${url}/jobs/${jobId}`, { headers })).json()) as Job
    return found.status === 'completed' && found
  })
  expect(job.counts).toEqual({ accepted: 100, rejected: 0 })
  expect(job.image_moderation?.map(({ accepted, rejected }) => [accepted, rejected])).toEqual(
    Array.from({ length: 100 }, () => [[], [{ src: 'https://127.0.0.1/1.jpg' }]]),
  )
  const connection = await connect({ servers: nats.url })
  const { vehicles } = await openStore(connection)
  for (let index = 0; index < 100; index += 1) {
    expect(await vehicles.read('uploader', `s${index}`)).toMatchObject({ job_id: jobId, item: { assets: [] } })
  }
  await connection.close()
})
