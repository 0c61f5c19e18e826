import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { FieldError } from '../../../api/errors.ts'
import { startInventory, type RunningInventory } from '../running-inventory.ts'
import { batch, completed, item, jobIdOf } from '../uploads.ts'

let inventory: RunningInventory
beforeAll(async () => {
  inventory = await startInventory()
})
afterAll(() => inventory.stop(1_000))

interface Answer {
  status: number
  code: string
  message: string
  errors?: FieldError[]
}

async function send(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await inventory.server.post(body, headers)
  return { ...((await response.json()) as Omit<Answer, 'status'>), status: response.status }
}

interface Schema {
  nullable?: boolean
  required?: string[]
  $ref?: string
  type: string
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
}

const contract = parse(readFileSync('api/inventory/openapi.yaml', 'utf8')) as {
  components: { schemas: Record<string, Schema> }
}

/** The schema itself, where another is only named. */
function named(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : contract.components.schemas[name]!
}

/** Values of every JSON type that is not the field's own. */
function wrongValues({ type, format }: Schema): unknown[] {
  const all: [string, unknown][] = [
    ['string', 'text'],
    ['number', 1.5],
    ['boolean', true],
    ['array', [1]],
    ['object', { a: 1 }],
  ]
  const own = type === 'integer' ? 'integer' : type
  const wrong = all.filter(([name]) => name !== own).map(([, value]) => value)
  return format === 'date' ? [...wrong, '2026-02-30', '01/02/2026', '2026-02-03T00:00:00Z'] : wrong
}

test('every field of a vehicle refuses every value of another type, and names itself', async () => {
  const fields = Object.entries(contract.components.schemas['Vehicle']!.properties!)
  expect(fields).toHaveLength(60)
  for (const [name, schema] of fields) {
    for (const value of wrongValues(named(schema))) {
      const answer = await send(batch([item('right'), { vehicle: { source_id: 'x', [name]: value } }]))
      const where = `${name} ${JSON.stringify(value)}`
      expect([where, answer.status, answer.code]).toEqual([where, 400, 'bad_request'])
      expect(answer.errors?.[0]?.path.startsWith(`/body/items/1/vehicle/${name}`), where).toBe(true)
    }
  }
})

test('null and an empty text in an optional field mean that it is absent, and are stored as they were sent', async () => {
  for (const [index, empty] of [null, ''].entries()) {
    const all = (schema: string) =>
      Object.fromEntries(Object.keys(contract.components.schemas[schema]!.properties!).map((name) => [name, empty]))
    const vehicle = { ...all('Vehicle'), source_id: `absent${index}` }
    const pricing = {
      ...vehicle,
      source_id: `parts${index}`,
      pricing: all('VehiclePricing'),
      tags: [all('VehicleTag')],
    }
    const asset = { ...all('Asset'), src: 'https://img.test/bad.jpg' }
    const items = [
      { showroom_ids: empty, vehicle, location: empty, assets: empty },
      { vehicle: { source_id: `logo${index}`, powered_by_logo_src: 'https://img.test/bad.jpg' }, assets: empty },
      { vehicle: { ...pricing, custom_fields: [all('CustomField')] }, location: all('Location'), assets: [asset] },
    ]
    const options = { moderate_images: empty, moderate_content: empty }
    const job = await completed(inventory.server, await jobIdOf(await inventory.server.post(batch(items, options))))
    expect(job).toMatchObject({ counts: { accepted: 3, rejected: 0 } })
    expect(job.errors.map(({ path }) => path)).toEqual([
      '/items/1/vehicle/powered_by_logo_src',
      '/items/2/assets/0/src',
    ])
    expect((await inventory.opened.store.vehicles.read('uploader', `absent${index}`))?.item).toEqual(items[0])
    expect((await inventory.opened.store.vehicles.read('uploader', `parts${index}`))?.item.vehicle).toEqual(
      items[2]?.vehicle,
    )
  }
})

test('the contract says of each optional field of a batch that it may be null, and of no required one', () => {
  const parts = ['Batch', 'Item', 'Location', 'Asset', 'Vehicle', 'VehiclePricing', 'VehicleTag', 'CustomField']
  for (const part of parts) {
    const { properties = {}, required = [] } = contract.components.schemas[part]!
    for (const [field, schema] of Object.entries(properties))
      expect([part, field, named(schema).nullable ?? false]).toEqual([part, field, !required.includes(field)])
  }
})

test('so do the other parts of a batch', async () => {
  const wrong: [string, unknown][] = [
    ['/body', []],
    ['/body', 'text'],
    ['/body/source_name', { items: [item('a')] }],
    ['/body/source_name', batch([item('a')], { source_name: '' })],
    ['/body/items', { source_name: 'test' }],
    ['/body/items', batch('none' as never)],
    ['/body/items/0', batch([null])],
    ['/body/items/0/vehicle', batch([{}])],
    ['/body/items/0/vehicle/source_id', batch([{ vehicle: {} }])],
    ['/body/items/0/vehicle/source_id', batch([item('')])],
    ['/body/items/0/vehicle/source_id', batch([item('x'.repeat(257))])],
    ['/body/items/0/showroom_ids/0', batch([{ ...item('a'), showroom_ids: ['SYD01'] }])],
    ['/body/items/0/location/name', batch([{ ...item('a'), location: { name: 1 } }])],
    ['/body/items/0/assets/0/src', batch([{ ...item('a'), assets: [{ type: 'image' }] }])],
    ['/body/items/0/assets/0/src', batch([{ ...item('a'), assets: [{ src: 'x'.repeat(2_049) }] }])],
    ['/body/items/0/assets/0/order', batch([{ ...item('a'), assets: [{ src: 'a', order: '1' }] }])],
    ['/body/moderate_images', batch([item('a')], { moderate_images: 'yes' })],
    ['/body/moderate_content', batch([item('a')], { moderate_content: 'yes' })],
    ['/body/source_name', batch([item('a')], { source_name: null })],
    ['/body/items', batch(null as never)],
    ['/body/items/0/vehicle', batch([{ vehicle: null }])],
    ['/body/items/0/vehicle/source_id', batch([{ vehicle: { source_id: null } }])],
    ['/body/items/0/assets/0/src', batch([{ ...item('a'), assets: [{ src: null }] }])],
    ['/body/items/0/assets/0', batch([{ ...item('a'), assets: [null] }])],
  ]
  for (const [path, body] of wrong) {
    const answer = await send(body)
    expect([answer.status, answer.code, answer.errors?.[0]?.path]).toEqual([400, 'bad_request', path])
  }
})

test('a fault of each faulty item is named, the first twenty', async () => {
  const faulty = { vehicle: { source_id: 'x', odometer: 'far', make: 1 } }
  const two = await send(batch([item('a'), faulty, item('b'), faulty]))
  expect(two.errors?.map(({ path }) => path.split('/').slice(0, 4).join('/'))).toEqual([
    '/body/items/1',
    '/body/items/3',
  ])
  expect((await send(batch(Array.from({ length: 100 }, () => faulty)))).errors).toHaveLength(20)
})

/** Two megabytes of one text between two others. */
const filled = (before: string, text: string, after: string) =>
  before + text.repeat(Math.floor((2 * 1024 * 1024 - before.length - after.length) / text.length)) + after

const VEHICLE = '{"source_name":"t","items":[{"vehicle":{"source_id":"x","deep":'

const floods: [string, string][] = [
  ['arrays nested till the limit', filled('', '[', '')],
  ['arrays nested and closed', VEHICLE + '['.repeat(500_000) + ']'.repeat(500_000) + '}}]}'],
  ['objects nested and closed', VEHICLE + '{"a":'.repeat(300_000) + '1' + '}'.repeat(300_000) + '}}]}'],
  ['a million items of a wrong type', filled('{"source_name":"t","items":[', '1,', '1]}')],
  [
    'a million pictures of a wrong type',
    filled('{"source_name":"t","items":[{"vehicle":{"source_id":"x"},"assets":[', '1,', '1]}]}'),
  ],
  ['many items with many faults', filled('{"source_name":"t","items":[', '{},', '{}]}')],
  [
    'a number of two million digits',
    filled(`{"source_name":"t","items":[{"vehicle":{"source_id":"x","odometer":`, '9', '}}]}'),
  ],
  ['no JSON at all', filled('', 'x', '')],
]

test.each(floods)('2 MB of %s is refused within bounded memory and time', async (_what, text) => {
  const before = process.memoryUsage().rss
  const start = performance.now()
  const answer = await send(text)
  expect([answer.status, answer.code]).toEqual([400, 'bad_request'])
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
})

test('numbers that JSON.stringify writes longer than they were sent are kept as they were, as many as a batch may have', async () => {
  const text = `${VEHICLE}[${'1e20,'.repeat(99_000)}1]}}]}`
  const job = await completed(inventory.server, await jobIdOf(await inventory.server.post(text)))
  expect(job.counts).toEqual({ accepted: 1, rejected: 0 })
  const kept = (await inventory.opened.store.vehicles.list('uploader')).records.find(({ source_id: id }) => id === 'x')
  expect(JSON.stringify(kept?.item)).toBe(text.slice(text.indexOf('{"vehicle"'), -2))
})

test('2 MB that unpack from a few bytes count as what they are', async () => {
  const response = await inventory.server.post('', { 'content-encoding': 'gzip' })
  expect(response.status).toBe(400)
  expect((await send(filled('', ' ', '') + ' ')).code).toBe('payload_too_large')
})

test('names that mean something to JavaScript are data, but for the one that cannot be', async () => {
  const text = (name: string) => `{"source_name":"t","items":[{"vehicle":{"source_id":"names","${name}":{"a":1}}}]}`
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON']) {
    await completed(inventory.server, await jobIdOf(await inventory.server.post(text(name))))
    const stored = await inventory.opened.store.vehicles.read('uploader', 'names')
    expect(Object.entries(stored?.item.vehicle ?? {})).toEqual([
      ['source_id', 'names'],
      [name, { a: 1 }],
    ])
  }
  expect(await send(text('__proto__'))).toMatchObject({ status: 400, code: 'bad_request' })
})

test('a number that is no number any more is refused, and not kept as null', async () => {
  for (const field of ['odometer', 'range', 'unknown']) {
    const text = `{"source_name":"t","items":[{"vehicle":{"source_id":"x","${field}":1e999}}]}`
    expect(await send(text)).toMatchObject({ status: 400, code: 'bad_request' })
  }
})

test('each item with a number that is too large is named by the first such number', async () => {
  const [large, long] = ['{"a":[1,1e999,1e999]}', `{"${'x'.repeat(1_000)}":1e999}`]
  const items = [`"range":1`, `"a/b":${large}`, `"range":-1e400,"z":1e400`, `"deep":${long}`]
  const text = `{"items":[${items.map((field) => `{"vehicle":{"source_id":"x",${field}}}`).join()}],"source_name":"t"}`
  const answer = await send(text)
  const message = 'has a number that is too large'
  expect(answer).toMatchObject({ status: 400, code: 'bad_request' })
  expect(answer.errors).toMatchObject(
    ['/1/vehicle/a~1b/a/1', '/2/vehicle/range', '/3/vehicle/deep'].map((path) => ({
      path: `/body/items${path}`,
      message,
    })),
  )
  const outside = await send('{"source_name":"t","x":[1e400],"items":[{"vehicle":{"source_id":"x"}}]}')
  expect(outside.errors).toMatchObject([{ path: '/body/x/0', message }])
})

test('100 items with 100 pictures each are processed, and 2 MB of rejected pictures fit into the job', async () => {
  const src = (index: number) => `https://img.test/bad-${index}.jpg?${'x'.repeat(150)}`
  const assets = Array.from({ length: 100 }, (_, index) => ({ src: src(index) }))
  const body = batch(Array.from({ length: 100 }, (_, index) => item(`crowd${index}`, { assets })))
  const job = await completed(inventory.server, await jobIdOf(await inventory.server.post(body)))
  expect(job.counts).toEqual({ accepted: 100, rejected: 0 })
  expect(job.image_moderation?.flatMap(({ rejected }) => rejected)).toHaveLength(10_000)
  expect(job.errors).toHaveLength(100 * (20 + 1))
  // The job is one message, and a server may take no more than 4 MiB.
  expect(JSON.stringify(job).length).toBeLessThan(3.5 * 1024 * 1024)
})

test('a body that is not declared as JSON is refused before it is read', async () => {
  expect(await send('{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
})
