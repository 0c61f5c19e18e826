import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../../backup/files/folder.ts'
import { newKeyPair } from '../../backup/files/sealed.ts'
import { gatherStreams } from '../../backup/streams/gather.ts'
import { BACKUP_CONNECTION, QUEUES, STORES } from '../../backup/streams/kept-streams.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { openStore } from '../../inventory/store.ts'
import { ensureNoticeStorage } from '../../notices/storage.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { STORAGE } from '../inventory/opened-store.ts'

// The rights that the page gives to the login of a backup, on a real server: enough for a backup, and for nothing else.
const [, page] = /^```nats\n([\s\S]*?)^```$/m.exec(
  readFileSync(join(import.meta.dirname, '../../docs/nats.md'), 'utf8'),
)!
const PASSWORD = 'a-password-0123456789'
const configuration = page!
  .replace('"…"', JSON.stringify(PASSWORD))
  .replace(
    'users: [',
    `users: [{ user: admin, password: ${JSON.stringify(PASSWORD)} }, ` +
      `{ user: stranger, password: ${JSON.stringify(PASSWORD)}, permissions: { publish: nothing } }, `,
  )

const folder = temporaryDirectory('backup-rights')
const login = (user: string) =>
  connectNats({ url: nats.url.replace('//', `//${user}:${PASSWORD}@`) }, { name: BACKUP_CONNECTION })
let nats: TestNats
let admin: NatsConnection
let backup: NatsConnection
beforeAll(async () => {
  nats = await startTestNats({ configuration })
  ;[admin, backup] = await Promise.all([login('admin'), login('backup')])
  await ensureStorage(admin, STORAGE)
  await ensureNoticeStorage(admin, STORAGE)
  const { queue } = await openStore(admin)
  await queue.publish('first', '{}', { clientId: 'uploader', clientUid: 'uid-1', replays: 0 })
}, 60_000)
afterAll(async () => {
  await Promise.all([admin.close(), backup.close()])
  await nats.close()
  folder.remove()
})

test('the login of the page reads all that a backup keeps', async () => {
  const { recipient } = await newKeyPair()
  const about = { recipients: [recipient], takenAt: new Date().toISOString() }
  const to = join(folder.path, 'backup')
  const { streams } = await writeBackup(to, { objects: [], streams: gatherStreams(backup) }, about)
  expect(Object.keys(streams!).sort()).toEqual([...QUEUES, ...STORES].sort())
  expect(streams![BATCHES]).toBe(1)
  expect(existsSync(join(to, 'backup.json'))).toBe(true)
})

test('a login without these rights leaves no part of a backup, and nothing of an earlier one is touched', async () => {
  const { recipient } = await newKeyPair()
  const about = { recipients: [recipient], takenAt: new Date().toISOString() }
  const stranger = await login('stranger')
  const to = join(folder.path, 'refused')
  try {
    const write = () => writeBackup(to, { objects: [], streams: gatherStreams(stranger) }, about)
    await expect(write()).rejects.toThrow(/ermission/)
    expect(existsSync(to)).toBe(false)
    mkdirSync(to)
    await expect(write()).rejects.toThrow(/ermission/)
    expect(readdirSync(to)).toEqual([])
    await writeBackup(to, { objects: [] }, about)
    await expect(write()).rejects.toThrow(`${to} is not empty`)
    expect(readdirSync(to).sort()).toEqual(['backup.json', 'cluster.age'])
  } finally {
    await stranger.close()
  }
})

const forbidden: [string, string][] = [
  ['upload a batch', 'batches.uploader.second'],
  ['delete a stream', `$JS.API.STREAM.DELETE.${BATCHES}`],
  ['purge a stream', `$JS.API.STREAM.PURGE.${BATCHES}`],
  ['delete a message', `$JS.API.STREAM.MSG.DELETE.${BATCHES}`],
  ['restore a stream', `$JS.API.STREAM.RESTORE.${BATCHES}`],
  ['see all streams', '$JS.API.STREAM.LIST'],
  ['take messages', `$JS.API.CONSUMER.CREATE.${BATCHES}`],
  ['write a job', '$KV.jobs.uploader.first'],
]

test.each(forbidden)('it cannot %s', async (_, subject) => {
  await expect(backup.request(subject, '{}', { timeout: 5_000 })).rejects.toThrow(/ermission/)
})

test('it cannot listen to what is uploaded', async () => {
  const heard = backup.subscribe('batches.>')
  const first = heard[Symbol.asyncIterator]().next()
  await expect(first).rejects.toThrow(/ermission/)
  const { state } = await (await jetstreamManager(admin)).streams.info(BATCHES)
  expect(state.messages).toBe(1)
})
