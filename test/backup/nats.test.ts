import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../../backup/files/folder.ts'
import { newKeyPair } from '../../backup/files/sealed.ts'
import { gatherStreams } from '../../backup/streams/gather.ts'
import { LEFT_OUT, QUEUES, STORES } from '../../backup/streams/kept-streams.ts'
import { newJob } from '../../inventory/job.ts'
import { declaredStorage } from '../../inventory/storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { declaredStorage as declaredNoticeStorage, ensureNoticeStorage } from '../../notices/storage.ts'
import { driveawayProcess } from '../cli/driveaway.ts'
import { startTestNats } from '../harness/nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { openedStore, STORAGE, type OpenedStore } from '../inventory/opened-store.ts'
import { item } from '../inventory/uploads.ts'

const folder = temporaryDirectory('backup-nats')
const backup = join(folder.path, 'backup')
const identity = join(folder.path, 'identity.txt')
const ORIGIN = { clientId: 'uploader', clientUid: 'uid-1', replays: 0 }
/** More than a server sends without an acknowledgement. */
const VEHICLES = 1_200
const description = 'A vehicle. '.repeat(800)

let lost: OpenedStore
let kept: Awaited<ReturnType<typeof contentOf>>
beforeAll(async () => {
  lost = await openedStore()
  await ensureNoticeStorage(lost.connection, STORAGE)
  const { queue, jobs, deadLetters } = lost.store
  for (const id of ['first', 'second']) {
    await jobs.create(newJob({ id, ...ORIGIN, createdAt: new Date(), moderateImages: false }))
    await queue.publish(id, JSON.stringify({ id }), ORIGIN)
  }
  await deadLetters.keep((await queue.waiting('uploader', 'first'))!, 'a reason')
  await Promise.all(Array.from({ length: VEHICLES }, (_, index) => storeVehicle(lost.store, `s${index}`)))
  kept = await contentOf(lost.store)
  const pair = await newKeyPair()
  writeFileSync(identity, pair.identity)
  const about = { recipients: [pair.recipient], takenAt: new Date().toISOString() }
  await writeBackup(backup, { objects: [], streams: gatherStreams(lost.connection) }, about)
}, 120_000)
afterAll(async () => {
  await lost.close()
  folder.remove()
})

const storeVehicle = (store: InventoryStore, id: string, sequence = 1) =>
  store.vehicles.store({
    ...{ client_id: 'uploader', source_id: id, source_name: 'test', job_id: 'earlier', stored_at: '2026-11-01' },
    ...{ order: { sequence, index: 0, run: 1 }, item: item(id, { vehicle: { description } }) },
  })

/** Everything that clients and workers could find. */
async function contentOf({ jobs, queue, deadLetters, vehicles }: InventoryStore) {
  const waiting = await Promise.all(['first', 'second'].map((id) => queue.waiting('uploader', id)))
  return {
    jobs: await Promise.all(['first', 'second'].map((id) => jobs.read('uploader', id))),
    waiting: waiting.map((one) => one && { ...one, acceptedAt: undefined }),
    letters: await deadLetters.list(),
    vehicles: (await vehicles.list('uploader')).records,
  }
}

const restore = (url: string, ...args: string[]) =>
  driveawayProcess(['restore', backup, '--identity', identity, '--nats', url, ...args])

test('a new NATS, in which programs have made their storage, gets back everything, and new batches come after', async () => {
  const target = await openedStore()
  try {
    const first = restore(target.nats.url)
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('KV_vehicles: 1200 messages restored') })
    expect(await contentOf(target.store)).toEqual(kept)
    await target.store.queue.publish('third', '{}', ORIGIN)
    const third = await target.store.queue.waiting('uploader', 'third')
    expect(third!.sequence).toBeGreaterThan(kept.waiting[1]!.sequence)
    const again = restore(target.nats.url)
    expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('KV_vehicles: restored already') })
    const manager = await jetstreamManager(target.connection)
    expect((await manager.streams.info('BATCHES')).state.messages).toBe(3)
  } finally {
    await target.close()
  }
}, 60_000)

test('a NATS without any stream gets them as they were, and a batch that is accepted later has a higher place', async () => {
  const nats = await startTestNats()
  const connection = await connect({ servers: nats.url })
  try {
    const dry = restore(nats.url, '--dry-run')
    expect(dry).toMatchObject({ status: 0, stderr: expect.stringContaining('dry run: nothing was restored\n') })
    expect(dry.stdout).toContain('KV_vehicles: 1200 messages would be restored\n')
    expect(dry.stdout).not.toMatch(/messages? restored$/m)
    const manager = await jetstreamManager(connection)
    expect(await manager.streams.names().next()).toEqual([])
    expect(restore(nats.url)).toMatchObject({ status: 0 })
    const store = await openStore(connection)
    expect(await contentOf(store)).toEqual(kept)
    await store.queue.publish('third', '{}', ORIGIN)
    // The lost queue may have given more places after the backup was made.
    expect((await store.queue.waiting('uploader', 'third'))!.sequence).toBeGreaterThan(
      kept.waiting[1]!.sequence + 1_000,
    )
  } finally {
    await connection.close()
    await nats.close()
  }
}, 60_000)

test('what others have written since stays, and nothing is restored, unless somebody says so', async () => {
  const target = await openedStore()
  try {
    await storeVehicle(target.store, 'newer')
    const refused = restore(target.nats.url)
    expect(refused).toMatchObject({ status: 1, stdout: 'KV_vehicles: the stream has other messages\n' })
    expect(refused.stderr).toContain('nothing was restored; --replace replaces these streams with those of the backup')
    expect(await target.store.jobs.read('uploader', 'first')).toBeUndefined()
    expect(restore(target.nats.url, '--replace')).toMatchObject({ status: 0 })
    expect(await contentOf(target.store)).toEqual(kept)
  } finally {
    await target.close()
  }
}, 60_000)

test('a damaged file and another identity are told before anything is written', async () => {
  const other = join(folder.path, 'other.txt')
  writeFileSync(other, (await newKeyPair()).identity)
  const nowhere = ['--nats', 'nats://127.0.0.1:1']
  const call = (file: string) => driveawayProcess(['restore', backup, '--identity', file, ...nowhere])
  expect(call(other)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('cannot be restored') })
  const file = join(backup, 'nats-kv_vehicles.age')
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]))
  const damaged = call(identity)
  writeFileSync(file, bytes)
  expect(damaged).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: expect.stringContaining('nats-kv_vehicles.age has changed since the backup: its digest differs'),
  })
})

test('a file of a stream that no backup keeps is refused, whoever sealed it', async () => {
  const manager = await jetstreamManager(lost.connection)
  const { config, state } = await manager.streams.add({ name: 'ORDERS', subjects: ['orders'] })
  const foreign = join(folder.path, 'foreign')
  const pair = await newKeyPair()
  const file = join(folder.path, 'foreign.txt')
  writeFileSync(file, pair.identity)
  const one = async function* () {
    yield await Promise.resolve({ head: { config, state }, bytes: Readable.from([]) })
  }
  await writeBackup(
    foreign,
    { objects: [], streams: one() },
    { recipients: [pair.recipient], takenAt: new Date().toISOString() },
  )
  const refused = driveawayProcess(['restore', foreign, '--identity', file, '--nats', lost.nats.url])
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('the stream ORDERS is not one that backups include'),
  })
})

test('the files say nothing of what they keep', () => {
  for (const name of ['nats-batches.age', 'nats-kv_vehicles.age'])
    expect(readFileSync(join(backup, name)).includes('uploader')).toBe(false)
})

test('every stream that a program declares is kept, or left out for a reason', () => {
  const { streams } = declaredStorage(STORAGE, 0)
  const declared = [...streams, ...declaredNoticeStorage(STORAGE).streams].map(({ config }) => config.name)
  expect([...QUEUES, ...STORES, ...Object.keys(LEFT_OUT)].sort()).toEqual(declared.sort())
})
