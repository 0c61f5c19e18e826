import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../api/http/serve.ts'
import { generateClient, onePerLine, unfaulted, type GeneratedClient } from '../../api/contract/generate-client.ts'
import { answeredOperations, describedOperations } from '../../api/contract/operations.ts'
import { startInventoryServer } from '../../api/inventory-server.ts'
import { startPricingServer, type PricingServer } from '../../api/pricing-server.ts'
import { startWorking, visibleModeration, type Working } from '../../worker/working.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'

// A client that is written only from GET /spec; the compiler takes its time on a busy machine.
const SLOW_MS = 240_000
const registry = new Registry()
let opened: OpenedStore
let pricing: PricingServer
let inventory: HttpServer
let working: Working
let generated: GeneratedClient

beforeAll(async () => {
  opened = await openedStore()
  const store = () => opened.store
  working = startWorking(
    store,
    visibleModeration(async () => ({ accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' })),
  )
  pricing = await startPricingServer()
  inventory = await startInventoryServer(pricing.holder, undefined, { store, registry })
  generated = await generateClient(`${inventory.url}/spec`)
  await generated.write('program.ts', readFileSync(new URL('inventory-program.txt', import.meta.url), 'utf8'))
})
afterAll(async () => {
  generated.remove()
  await inventory.close()
  await pricing.close()
  await working.stop(1_000)
  await opened.close()
})

test('a client written only from GET /spec makes every call', { timeout: SLOW_MS }, async () => {
  expect(generated.faultsOf('program.ts')).toEqual([])
  const printed = await generated.run('program.ts', inventory.url, await pricing.token('uploader'))
  expect(printed).toEqual({
    ...{ openapi: '3.0.3', place: true, same: true },
    counts: { accepted: 2, rejected: 1 },
    errors: [
      [1, '/items/1/vehicle/description'],
      [2, '/items/2/assets/0/src'],
    ],
    rejected: ['https://img.test/bad.jpg'],
    reused: 'idempotency_key_reused',
    unknown: [404, 'not_found'],
  })
  const kept = await opened.store.vehicles.read('uploader', 'NS-10234')
  expect(kept?.item.vehicle).toMatchObject({ odometer: 12, towbar: { rated: true } })
  expect(await answeredOperations(registry)).toEqual(await describedOperations(`${inventory.url}/spec`))
})

const IMPORTS = `import * as api from './client/index.ts'; declare const batch: api.Batch, job: api.Job`
const WRONG = {
  'a vehicle without its id': `api.createBatch({ body: { ...batch, items: [{ vehicle: { make: 'Kia' } }] } })`,
  'an item without a vehicle': 'api.createBatch({ body: { ...batch, items: [{ assets: [] }] } })',
  'a batch of nobody': 'api.createBatch({ body: { items: [] } })',
  'an odometer that is a text': `api.createBatch({ body: { ...batch, items: [{ vehicle: { source_id: '1', odometer: '12' } }] } })`,
  'a picture without an address': `api.createBatch({ body: { ...batch, items: [{ vehicle: { source_id: '1' }, assets: [{ order: 1 }] }] } })`,
  'a price in dollars and cents': `api.createBatch({ body: { ...batch, items: [{ vehicle: { source_id: '1', pricing: { price: '56770.00' } } }] } })`,
  'a switch that is a text': `api.createBatch({ body: { ...batch, moderate_images: 'no' } })`,
  'a switch that is misspelt': 'api.createBatch({ body: { ...batch, moderate_image: false } })',
  'a job without an id': 'api.getJob({})',
  'a status that is none': `job.status === 'failed'`,
  'image moderation that may be missing': 'job.image_moderation.length',
}

test('what the service would refuse does not compile with the generated client', { timeout: SLOW_MS }, async () => {
  await generated.write('right.ts', onePerLine(IMPORTS, { 'a batch': 'api.createBatch({ body: batch })' }))
  expect(generated.faultsOf('right.ts')).toEqual([])
  await generated.write('wrong.ts', onePerLine(IMPORTS, WRONG))
  const faults = generated.faultsOf('wrong.ts')
  expect(unfaulted(WRONG, faults)).toEqual([])
  expect(faults.filter(({ file }) => file !== 'wrong.ts')).toEqual([])
})
