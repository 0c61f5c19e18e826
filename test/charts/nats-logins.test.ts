import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KubernetesObject, V1ConfigMap, V1Secret, V1StatefulSet } from '@kubernetes/client-node'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectNats } from '../../runtime/nats/access.ts'
import { batchQueue } from '../../inventory/batch-queue.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { undeclaredConsumers } from '../../inventory/undeclared-consumers.ts'
import { ensureNoticeStorage } from '../../notices/storage.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { asUser, chartLogins, startChartNats, type NatsUser } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { STORAGE } from '../inventory/opened-store.ts'
import { charts, elsewhere, render, tellingClients, valuesOf } from './render.ts'

// The logins that the chart gives at its own NATS. What each program needs is seen where the programs themselves run with them:
// test/inventory, test/worker/mail, test/operator/notices and test/stack. Here, on a real nats-server: what
// they cannot do, and a right without which the worker goes on.
let nats: TestNats
let opened: Record<NatsUser, NatsConnection>
beforeAll(async () => {
  nats = await startChartNats()
  const open = (user: NatsUser, name: string) => connectNats({ url: asUser(nats.url, user) }, { name })
  const [operator, inventory, worker, backup, admin] = await Promise.all([
    open('operator', 'operator'),
    open('inventory', 'driveaway-inventory'),
    open('worker', 'driveaway-worker'),
    open('backup', 'driveaway-backup'),
    open('admin', 'driveaway-notices'),
  ])
  opened = { operator, inventory, worker, backup, admin }
  await ensureStorage(admin, STORAGE)
  await ensureNoticeStorage(admin, STORAGE)
}, 60_000)
afterAll(async () => {
  await Promise.all(Object.values(opened ?? {}).map((connection) => connection.close()))
  await nats?.close()
})

const cannot: [NatsUser, string, string][] = [
  ['inventory', 'take a batch', '$JS.API.CONSUMER.CREATE.BATCHES.mine'],
  ['inventory', 'read a vehicle', '$JS.API.STREAM.MSG.GET.KV_vehicles'],
  ['inventory', 'read vehicles together', '$JS.API.DIRECT.GET.KV_vehicles'],
  ['inventory', 'write a vehicle', '$KV.vehicles.dXBsb2FkZXI.MQ'],
  ['inventory', 'read whom mails go to', '$JS.API.STREAM.MSG.GET.KV_recipients'],
  ['inventory', 'have a mail sent', 'notice-turns.dXBsb2FkZXI'],
  // Whoever changes a stream fills it from any other, has it republished, or cuts it short.
  ['inventory', 'change a bucket that it reads', '$JS.API.STREAM.UPDATE.KV_jobs'],
  ['inventory', 'change the vehicles', '$JS.API.STREAM.UPDATE.KV_vehicles'],
  ['worker', 'change the archive of notices', '$JS.API.STREAM.UPDATE.OBJ_announced'],
  ['worker', 'change whom mails go to', '$JS.API.STREAM.UPDATE.KV_recipients'],
  ['operator', 'change the vehicles', '$JS.API.STREAM.UPDATE.KV_vehicles'],
  ['worker', 'write whom mails go to', '$KV.recipients.dXBsb2FkZXI'],
  ['worker', 'announce a release', '$KV.announcements.progress'],
  ['worker', 'count the requests of a client', '$KV.request_rates.dXBsb2FkZXI'],
  ['operator', 'upload a batch', 'batches.dXBsb2FkZXI.1'],
  ['operator', 'read a vehicle', '$JS.API.STREAM.MSG.GET.KV_vehicles'],
  ['operator', 'write a job', '$KV.jobs.dXBsb2FkZXI.1'],
  ['backup', 'upload a batch', 'batches.dXBsb2FkZXI.1'],
  ['backup', 'write a vehicle', '$KV.vehicles.dXBsb2FkZXI.MQ'],
  ['inventory', 'empty the queue', '$JS.API.STREAM.PURGE.BATCHES'],
  ['operator', 'empty the queue', '$JS.API.STREAM.PURGE.BATCHES'],
  ...(['inventory', 'worker', 'operator', 'backup'] as const).flatMap((user): [NatsUser, string, string][] => [
    [user, 'delete a stream', '$JS.API.STREAM.DELETE.KV_vehicles'],
    [user, 'empty a stream', '$JS.API.STREAM.PURGE.KV_vehicles'],
  ]),
]

test.each(cannot)('the login of %s cannot %s', async (user, _, subject) => {
  await expect(opened[user].request(subject, '{}', { timeout: 5_000 })).rejects.toThrow(/ermission/)
})

test('the login of inventory finds that a job neither waits nor exists', async () => {
  const queue = batchQueue(jetstream(opened.inventory), await jetstreamManager(opened.inventory))
  expect(await queue.waiting('northside', '00000000-0000-4000-8000-000000000000')).toBeUndefined()
})

test('the login of the worker finds consumers that somebody added to the batches', async () => {
  await (
    await jetstreamManager(opened.admin)
  ).consumers.add('BATCHES', { durable_name: 'mine', ack_policy: 'explicit' })
  expect(await undeclaredConsumers(opened.worker)).toHaveLength(1)
})

test.each(['inventory', 'worker', 'operator'] as const)(
  'the login of %s hears no other program’s answers',
  async (user) => {
    const first = opened[user].subscribe('_INBOX.>')[Symbol.asyncIterator]().next()
    await expect(first).rejects.toThrow(/ermission/)
  },
)

test('the login of the backup has the rights that the page gives it', async () => {
  const page = readFileSync(join(charts, '../docs/nats.md'), 'utf8')
  const subjectsIn = (text: string) => [...text.matchAll(/"([$_][^"]+)"/g)].map(([, subject]) => subject).sort()
  const [block] = /\{\s*user: backup\s[^]*$/.exec(await chartLogins())!
  const own = block.slice(0, block.indexOf('user: admin'))
  expect(subjectsIn(own)).toEqual(subjectsIn(/^```nats\n([^]*?)^```$/m.exec(page)![1]!))
})

test('nobody comes in without a login', async () => {
  const configuration = (await chartLogins()).replace('no_auth_user: admin', '')
  const server = await startTestNats({ configuration })
  try {
    await expect(connect({ servers: server.url })).rejects.toThrow(/uthorization/)
  } finally {
    await server.close()
  }
})

const production = (...values: string[]) => render('driveaway', 'p', [...valuesOf('production-eu'), ...values])
const secretsIn = (objects: KubernetesObject[]) =>
  objects.filter(
    ({ kind, metadata }) => kind === 'Secret' && metadata?.name?.startsWith('driveaway-nats-'),
  ) as V1Secret[]

test('each login has a Secret and a password of its own, which the server reads from there', async () => {
  const objects = await production(...tellingClients)
  const secrets = secretsIn(objects)
  const named = secrets.map(({ metadata, data }) => [
    metadata?.name,
    Buffer.from(data!['username']!, 'base64').toString(),
  ])
  const users = ['inventory', 'worker', 'backup', 'admin', 'operator']
  expect(named).toEqual(users.map((user) => [`driveaway-nats-${user}`, user]))
  const passwords = secrets.map(({ data }) => Buffer.from(data!['password']!, 'base64').toString())
  expect(new Set(passwords).size).toBe(5)
  for (const password of passwords) expect(password).toMatch(/^[a-z][A-Za-z0-9]{40}$/)
  const server = objects.find(({ kind }) => kind === 'StatefulSet') as V1StatefulSet
  const env = server.spec!.template.spec!.containers[0]!.env!
  const references = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
  expect(references).toEqual(users.map((user) => ({ name: `driveaway-nats-${user}`, key: 'password' })))
})

test('nats-server accepts the configuration as the chart renders it, with passwords as the chart makes them', async () => {
  const objects = await production(...tellingClients)
  const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata?.name === 'driveaway-nats')
  const folder = temporaryDirectory('nats-conf')
  try {
    const file = join(folder.path, 'nats.conf')
    writeFileSync(file, (map as V1ConfigMap).data!['nats.conf']!.replace('/data', folder.path))
    const passwords = secretsIn(objects).map(({ data }) => [
      `PASSWORD_OF_${Buffer.from(data!['username']!, 'base64').toString().toUpperCase()}`,
      Buffer.from(data!['password']!, 'base64').toString(),
    ])
    const env = { ...process.env, POD_NAME: 'driveaway-nats-0', ...(Object.fromEntries(passwords) as object) }
    const { stderr } = await promisify(execFile)(await ensureBinary('nats-server'), ['-t', '-c', file], { env })
    expect(stderr).toContain('configuration file')
  } finally {
    folder.remove()
  }
})

test('the password of a server is in no ConfigMap', async () => {
  const objects = await production(...tellingClients)
  const passwords = secretsIn(objects).map(({ data }) => Buffer.from(data!['password']!, 'base64').toString())
  const maps = JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'))
  for (const password of passwords) expect(maps).not.toContain(password)
})

test('an operator that tells nobody has no login; Secrets that exist, or a server elsewhere, need none of the chart', async () => {
  expect(secretsIn(await production()).map(({ metadata }) => metadata?.name)).not.toContain('driveaway-nats-operator')
  expect(secretsIn(await production('--set', 'nats.embedded.logins.create=false'))).toEqual([])
  expect(secretsIn(await production(...elsewhere))).toEqual([])
})
