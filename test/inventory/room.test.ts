import { connect as openSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { openStore } from '../../inventory/store.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import type { OpenedStore } from './opened-store.ts'
import { batch, item, startUploadServer, type UploadServer } from './uploads.ts'

const MEGABYTE = 1024 * 1024
let nats: TestNats
let opened: OpenedStore['store']
let close: () => Promise<void>
let server: UploadServer

/** A small store: the queue has 16 MB, vehicles 32, jobs 6.4, keys 2.56. */
beforeEach(async () => {
  nats = await startTestNats()
  const connection = await connect({ servers: nats.url })
  await ensureStorage(connection, { replicas: 1, bytes: 64 * MEGABYTE })
  opened = await openStore(connection)
  server = await startUploadServer(() => opened)
  close = async () => {
    await server.close()
    await connection.close()
    await nats.close()
  }
})
afterEach(() => close())

const large = batch([item('large', { vehicle: { description: 'x '.repeat(950_000) } })])
const small = batch([item('small')])
const messages = async (name: string) => (await opened.manager.streams.info(name)).state.messages
const upload = async (clientId: string, body: unknown, headers: Record<string, string> = {}) => {
  const authorization = `Bearer ${await server.token(clientId)}`
  const answer = await server.post(body, { authorization, ...headers })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as object }
}
/** What was seen of the stores counts for a second. */
const untilSeenAnew = () => sleep(1_100)

test('a client never has more of the queue than it leaves to all others, and what is refused leaves nothing', async () => {
  let accepted = 0
  for (; accepted < 20; accepted += 1) {
    if ((await upload('uploader', large)).status !== 201) break
    await untilSeenAnew()
  }
  // Of 16 MB: with the fifth it would have more than half.
  expect(accepted).toBe(4)
  const before = await Promise.all(['BATCHES', 'KV_jobs', 'KV_idempotency'].map(messages))
  const refused = await upload('uploader', large, { 'idempotency-key': 'refused' })
  expect(refused).toMatchObject({ status: 503, retryAfter: '30', body: { code: 'queue_full' } })
  expect(await Promise.all(['BATCHES', 'KV_jobs', 'KV_idempotency'].map(messages))).toEqual(before)
  expect(await upload('other', large)).toMatchObject({ status: 201 })
})

test('an upload that finds the queue full only when its batch is stored leaves no key behind', async () => {
  const fill = opened.manager.jetstream()
  for (let batches = 0; batches < 15; batches += 1) await fill.publish(`batches.x.${batches}`, new Uint8Array(MEGABYTE))
  // The look at the room was made before that.
  opened = { ...opened, room: { ...opened.room, refusal: async () => undefined } }
  const key = { 'idempotency-key': 'monday' }
  expect(await upload('uploader', large, key)).toMatchObject({ status: 503, body: { code: 'queue_full' } })
  expect(await messages('KV_jobs')).toBe(0)
  await waitFor('no key', async () => (await messages('KV_idempotency')) === 0)
  await opened.manager.streams.purge('BATCHES')
  expect(await upload('uploader', small, key)).toMatchObject({ status: 201 })
})

test.for([
  ['jobs', 'KV_jobs', '$KV.jobs.x', 5.9],
  ['vehicles', 'KV_vehicles', '$KV.vehicles.x.y', 31],
] as const)(
  'while the bucket of %s is full, uploads are refused before anything is written',
  async ([, name, subject, full]) => {
    const client = opened.manager.jetstream()
    for (let filled = 0; filled < full; filled += 1) {
      const bytes = Math.min(1, full - filled) * MEGABYTE - 1_000
      await client.publish(`${subject}${filled}`, new Uint8Array(bytes))
    }
    const before = await messages(name)
    expect(await upload('uploader', small)).toMatchObject({
      status: 503,
      retryAfter: '30',
      body: { code: 'queue_full' },
    })
    expect([await messages('BATCHES'), await messages(name)]).toEqual([0, before])
  },
)

test('what batches that wait will add to the jobs is kept free: no accepted batch finds the bucket full', async () => {
  const client = opened.manager.jetstream()
  // Of 6.4 MB the jobs may take nine tenths; 20 of 100 KB leave room for 37 more of them.
  for (let job = 0; job < 20; job += 1) await client.publish(`$KV.jobs.${job}`, new Uint8Array(100_000))
  const wait = async (from: number, to: number) => {
    for (let job = from; job < to; job += 1) await client.publish(`batches.x.${job}`, '{}')
    await untilSeenAnew()
  }
  await wait(0, 30)
  expect(await upload('uploader', small)).toMatchObject({ status: 201 })
  await wait(30, 60)
  expect(await upload('uploader', small)).toMatchObject({ status: 503, body: { code: 'queue_full' } })
  await opened.manager.streams.purge('BATCHES')
  await untilSeenAnew()
  expect(await upload('uploader', small)).toMatchObject({ status: 201 })
})

test('a client that has its share of keys is refused, and another’s first key is kept', async () => {
  const client = opened.manager.jetstream()
  const uid = await uidOf('uploader')
  for (let key = 0; key < 15; key += 1) {
    await client.publish(`$KV.idempotency.${Buffer.from(uid).toString('base64url')}.${key}`, new Uint8Array(100_000))
  }
  expect(await upload('uploader', small, { 'idempotency-key': 'one-more' })).toMatchObject({ status: 503 })
  expect(await upload('uploader', small)).toMatchObject({ status: 201 })
  expect(await upload('other', small, { 'idempotency-key': 'first' })).toMatchObject({ status: 201 })
})

test.for([
  ['jobs', 'jobs', 3.5],
  ['vehicles', 'vehicles', 16],
] as const)('a client that has its share of %s is refused, and another is served', async ([, bucket, megabytes]) => {
  const client = opened.manager.jetstream()
  const token = Buffer.from('uploader').toString('base64url')
  const fill = async (from: number, to: number) => {
    for (let at = from; at < to; at += 0.5) {
      await client.publish(`$KV.${bucket}.${token}.${at * 10}`, new Uint8Array(MEGABYTE / 2 - 1_000))
    }
    await untilSeenAnew()
  }
  await fill(0, megabytes - 1)
  expect(await upload('uploader', small)).toMatchObject({ status: 201 })
  await fill(megabytes - 1, megabytes)
  const before = await Promise.all(['BATCHES', `KV_${bucket}`].map(messages))
  expect(await upload('uploader', small)).toMatchObject({
    ...{ status: 503, retryAfter: '30' },
    body: { code: 'queue_full', message: expect.stringMatching(`^This client has its share of ${bucket}[;.] `) },
  })
  expect(await Promise.all(['BATCHES', `KV_${bucket}`].map(messages))).toEqual(before)
  expect(await upload('other', small)).toMatchObject({ status: 201 })
})

/** As the store knows it, from the key of an upload. */
async function uidOf(clientId: string): Promise<string> {
  await upload(clientId, small, { 'idempotency-key': 'probe' })
  const { subjects } = (await opened.manager.streams.info('KV_idempotency', { subjects_filter: '>' })).state
  await untilSeenAnew()
  return Buffer.from(Object.keys(subjects!)[0]!.split('.')[2]!, 'base64url').toString()
}

test('a client that holds its share of bytes under way is refused at once, and another is served', async () => {
  const [token, { port, hostname }] = [await server.token(), new URL(server.url)]
  const answers: string[] = []
  const sockets = Array.from({ length: 20 }, () => {
    const socket = openSocket(Number(port), hostname)
    socket.on('data', (data) => answers.push(data.toString().slice(9, 12))).on('error', () => undefined)
    const length = 2 * MEGABYTE
    const head = `POST /batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
    socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n{`)
    return socket
  })
  await sleep(1_000)
  // Of 64 MB, 32 are the client's: 16 bodies of 2 MB.
  expect(answers).toEqual(['503', '503', '503', '503'])
  expect(await upload('other', small)).toMatchObject({ status: 201 })
  for (const socket of sockets) socket.destroy()
  await sleep(200)
  expect(await upload('uploader', small)).toMatchObject({ status: 201 })
})

test('a batch with more values than a hundred vehicles can need is refused, and so is an item with too many assets', async () => {
  const many = batch([item('a', { vehicle: { further: Array.from({ length: 100_000 }, () => 1) } })])
  expect(await upload('uploader', many)).toMatchObject({
    status: 400,
    body: { errors: [{ message: 'has more than 100,000 values' }] },
  })
  const assets = Array.from({ length: 201 }, () => ({ src: 'a', type: 'video' }))
  const path = '/body/items/0/assets'
  expect(await upload('uploader', batch([item('a', { assets })]))).toMatchObject({
    status: 400,
    body: { errors: [{ path }] },
  })
})
