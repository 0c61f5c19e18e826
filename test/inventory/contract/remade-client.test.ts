import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HttpServer } from '../../../api/http/serve.ts'
import { startInventoryServer } from '../../api/inventory-server.ts'
import { bearer, binding, clientsOf, startPricingServer, type PricingServer } from '../../api/pricing-server.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'
import { batch, item, jobIdOf } from '../uploads.ts'

let opened: OpenedStore
let pricing: PricingServer
let inventory: HttpServer

beforeAll(async () => {
  opened = await openedStore()
  pricing = await startPricingServer()
  inventory = await startInventoryServer(pricing.holder, undefined, { store: () => opened.store })
})
afterAll(async () => {
  await inventory.close()
  await pricing.close()
  await opened.close()
})
beforeEach(() => makeClient('first'))

/** The client `uploader`, deleted if it was there and made anew. */
const makeClient = (uid: string) =>
  pricing.holder.swap({ clients: clientsOf(binding('uploader', { uid, grants: ['inventory:write'] })) })

const upload = async (body: unknown, key: string) =>
  fetch(`${inventory.url}/batch`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'idempotency-key': key },
      ...bearer(await pricing.token('uploader')),
    },
    body: JSON.stringify(body),
  })
const poll = async (id: string) =>
  (await fetch(`${inventory.url}/jobs/${id}`, { headers: bearer(await pricing.token('uploader')) })).status

test('a client that is deleted and made anew under the same name does not see the jobs of its predecessor', async () => {
  const id = await jobIdOf(await upload(batch([item('a')]), 'jobs'))
  expect(await poll(id)).toBe(200)
  makeClient('second')
  expect(await poll(id)).toBe(404)
  makeClient('first')
  expect(await poll(id)).toBe(200)
})

test('nor those that are known only by the batch that waits', async () => {
  const id = await jobIdOf(await upload(batch([item('b')]), 'waiting'))
  await opened.store.manager.streams.purge('KV_jobs', { filter: `$KV.jobs.*.${id}` })
  expect(await poll(id)).toBe(200)
  makeClient('second')
  expect(await poll(id)).toBe(404)
})

test('the idempotency keys of its predecessor are not its own', async () => {
  const id = await jobIdOf(await upload(batch([item('c')]), 'monday'))
  expect(await jobIdOf(await upload(batch([item('c')]), 'monday'))).toBe(id)
  makeClient('second')
  expect(await jobIdOf(await upload(batch([item('c')]), 'monday'))).not.toBe(id)
  makeClient('third')
  expect((await upload(batch([item('another')]), 'monday')).status).toBe(201)
})
