import { jetstreamManager } from '@nats-io/jetstream'
import { TimeoutError } from '@nats-io/transport-node'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ThreadLost } from '../../api/inventory/start-examining-thread.ts'
import { unreachable } from '../../api/inventory/accept-batch.ts'
import type { Examiner } from '../../api/inventory/examiner.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { openedStore, STORAGE, type OpenedStore } from './opened-store.ts'
import { batch, item, startUploadServer } from './uploads.ts'

let opened: OpenedStore
let failures = 0

beforeAll(async () => {
  opened = await openedStore()
})
afterAll(() => opened.close())
beforeEach(async () => {
  await ensureStorage(opened.connection, STORAGE)
  failures = 0
})

async function start(change: { examine?: Examiner['examine'] } = {}) {
  const storeFailed = () => void (failures += 1)
  const server = await startUploadServer(() => opened.store, { storeFailed, ...change })
  onTestFinished(() => server.close())
  return server
}

test.each([BATCHES, 'KV_jobs', 'KV_idempotency'])('an upload that misses %s has the store looked at', async (name) => {
  const server = await start()
  await (await jetstreamManager(opened.connection)).streams.delete(name)
  const answer = await server.post(batch([item('v1')]), { 'idempotency-key': `without-${name}` })
  expect([answer.status, failures]).toEqual([503, 1])
})

test('a job that is read while its bucket is missing has the store looked at', async () => {
  const server = await start()
  await (await jetstreamManager(opened.connection)).streams.delete('KV_jobs')
  const answer = await server.get('/jobs/0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3')
  expect([answer.status, failures]).toEqual([503, 1])
})

test.each([
  ['a lost thread', new ThreadLost('gone')],
  ['a slow server', new TimeoutError()],
  ['a fault of ours', new TypeError('no function')],
])('%s is no reason to look at the store', async (_, cause) => {
  const server = await start({ examine: () => Promise.reject(unreachable(cause)) })
  const answer = await server.post(batch([item('v1')]))
  expect([answer.status, failures]).toEqual([503, 0])
})
