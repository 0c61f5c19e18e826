import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { createHolder, type Holder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import type { Source } from '../../../api/load/source.ts'
import { loadedReport, readiness } from '../../../api/load/report.ts'
import { indexConfigMap, shardConfigMap } from '../../../rates/published/config-map.ts'
import { encodeRatesIndex } from '../../../rates/published/encode-rates.ts'
import { CLIENTS_INDEX, RATES_INDEX, SIGNING_KEYS_SECRET } from '../../../rates/published/format.ts'
import { isNotFound } from '../../../runtime/kube/api-error.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '../../../runtime/log.ts'
import type { ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { CONFIG_MAPS, startPublishPlace, type PublishPlace } from './publish-place.ts'
import { binding, newSigningKey } from '../pricing-server.ts'
import { publishedVictoria } from '../victorian-rates.ts'

const log = createLog({ name: 'test', level: 'silent' })

let cluster: ControlPlane
let place: PublishPlace
let holder: Holder
let source: Source
beforeAll(async () => {
  place = await startPublishPlace()
  cluster = place.cluster
}, 120_000)
afterAll(() => cluster.stop())
beforeEach(() => {
  holder = createHolder()
  source = startKubernetesSource({ kube: kubeOf(cluster.kubeConfig), namespace: 'driveaway', holder, log })
})
afterEach(async () => {
  await source.stop()
  await kube('DELETE', CONFIG_MAPS)
  await remove(`/api/v1/namespaces/driveaway/secrets/${SIGNING_KEYS_SECRET}`)
})

const kube: PublishPlace['kube'] = (...request) => place.kube(...request)
const put: PublishPlace['put'] = (object) => place.put(object)
const publish: PublishPlace['publish'] = (...content) => place.publish(...content)
const publishClients: PublishPlace['publishClients'] = (...content) => place.publishClients(...content)

async function remove(path: string): Promise<void> {
  await kube('DELETE', path).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

async function publishKeys(kids: string[]): Promise<void> {
  const keys = await Promise.all(
    kids.map(async (kid, index) => ({
      state: index === 0 ? 'current' : 'next',
      since: '2026-08-01',
      jwk: await newSigningKey(kid),
    })),
  )
  const metadata = { name: SIGNING_KEYS_SECRET, namespace: 'driveaway' }
  const data = { 'keys.json': Buffer.from(JSON.stringify({ keys })).toString('base64') }
  await kube('POST', '/api/v1/namespaces/driveaway/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, data })
}

const release = () => holder.read().rates?.snapshot.release
const serves = (wanted: string) => waitFor(`release ${wanted}`, () => release() === wanted)
const lastError = () => loadedReport(holder, { program: 'api', instance: 'test' }).lastError

test('it is ready once rates, clients and keys are there, and says what it holds', async () => {
  expect(readiness(holder)).toMatchObject({ ok: false, body: { missing: ['rates', 'clients', 'keys'] } })
  const wanted = await publish('8.40', 7)
  await publishClients([binding('dealer')], 3)
  await publishKeys(['k1', 'k2'])
  await waitFor('readiness', () => readiness(holder).ok)
  expect(loadedReport(holder, { program: 'api', instance: 'test' })).toMatchObject({
    release: wanted,
    sequence: 7,
    sets: { 'au-fy27': expect.stringMatching(/^sha256:/), 'au-vic-fy27': expect.stringMatching(/^sha256:/) },
    clients: { sequence: 3 },
    signingKeys: ['k1', 'k2'],
    lastError: null,
  })
})

test('it follows each flip of the index, a rollback with a lower sequence too', async () => {
  await serves(await publish('8.40', 5))
  await serves(await publish('9.40', 6))
  await serves(await publish('8.40', 2))
  expect(holder.read().rates?.sequence).toBe(2)
})

test('a shard that is not there leaves the last good rates, says so, and heals when it appears', async () => {
  const good = await publish('8.40', 1)
  await serves(good)
  const wanted = await publish('9.40', 2, { without: 1 })
  await waitFor('the failure', () => lastError() !== null)
  expect([release(), lastError()]).toEqual([good, expect.stringContaining('is not there')])
  await put(shardConfigMap('driveaway', publishedVictoria('9.40')[1]!.shards[0]!))
  await serves(wanted)
  expect(lastError()).toBeNull()
})

test('a shard whose text was changed is never served', async () => {
  const good = await publish('8.40', 1)
  await serves(good)
  const sets = publishedVictoria('9.40')
  const shard = sets[1]!.shards[0]!
  const forged = { ...shard, shard: { ...shard.shard, text: shard.shard.text.replace('"9.40"', '"1.40"') } }
  await put(shardConfigMap('driveaway', forged))
  await put(
    indexConfigMap(
      'driveaway',
      encodeRatesIndex(
        sets.map((set) => set.entry),
        2,
      ),
    ),
  )
  await waitFor('the failure', () => lastError() !== null)
  expect([release(), lastError()]).toEqual([good, expect.stringContaining('does not hash')])
})

test('a deleted index leaves what is served, and the next one is followed', async () => {
  const good = await publish('8.40', 1)
  await serves(good)
  await kube('DELETE', `${CONFIG_MAPS}/${RATES_INDEX}`)
  await waitFor('the deletion to be said', () => lastError()?.includes('deleted'))
  expect(release()).toBe(good)
  await serves(await publish('9.40', 1))
})

test('an index that is made empty first is said to have no content yet; one that is emptied leaves what is served', async () => {
  const empty = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: RATES_INDEX, namespace: 'driveaway' } }
  await kube('POST', CONFIG_MAPS, empty)
  await waitFor('the empty index to be said', () => lastError() === 'rates: driveaway-rates has no content yet')
  const good = await publish('8.40', 1)
  await serves(good)
  expect(lastError()).toBeNull()
  await kube('PUT', `${CONFIG_MAPS}/${RATES_INDEX}`, empty)
  const said = 'rates: driveaway-rates has no content; its last content is still served'
  await waitFor('the emptied index to be said', () => lastError() === said)
  expect(release()).toBe(good)
})

test('a change of clients is followed and changes no release', async () => {
  const wanted = await publish('8.40', 1)
  await serves(wanted)
  await publishClients([binding('dealer')], 1)
  await waitFor('the client', () => holder.read().clients?.byId.get('dealer')?.suspended === false)
  await publishClients([binding('dealer', { suspended: true })], 2)
  await waitFor('the suspension', () => holder.read().clients?.byId.get('dealer')?.suspended === true)
  await kube('DELETE', `${CONFIG_MAPS}/${CLIENTS_INDEX}`)
  expect(release()).toBe(wanted)
})

test('while kube-apiserver is away the rates stay, and changes flow again once it is back', async () => {
  const good = await publish('8.40', 1)
  await serves(good)
  await cluster.stopApiServer()
  expect(release()).toBe(good)
  await cluster.startApiServer()
  const wanted = await publish('9.40', 2)
  await waitFor('the new release', () => release() === wanted, { timeoutMs: 30_000 })
}, 90_000)
