import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { shardOfClient } from '#rates/published/encode-clients.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients, type ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { clientStatus } from '../../../operator/showroom-client/status.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

let controlPlane: ControlPlane
let kube: Kube

const NAMESPACE = 'refused-shard'
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const COUNT = 1100

beforeAll(async () => {
  controlPlane = await startControlPlane()
  kube = kubeOf(controlPlane.kubeConfig)
  const metadata = { name: NAMESPACE } as KubernetesObject['metadata']
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, { fieldManager: 'test', force: true })
}, 60_000)
afterAll(() => controlPlane.stop())

const client = (number: number): ShowroomClientObject => ({
  ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
  metadata: {
    ...{ name: `client-${number}`, namespace: NAMESPACE, uid: `uid-${number}`, generation: 1, resourceVersion: '1' },
  },
  spec: {
    ...{ displayName: 'Invented', showroomCodes: ['MEL01'], grants: ['pricing:quote'], suspended: false },
    credentials: [{ subject: { issuer: 'https://login.example/', subject: `subject-${number}` } }],
  },
})

const suspended = ({ metadata, spec, ...rest }: ShowroomClientObject): ShowroomClientObject => ({
  ...{ ...rest, metadata: { ...metadata, generation: 2 }, spec: { ...spec, suspended: true } },
})

const secrets: ClientsPublisher['secrets'] = {
  ...{ ensure: () => Promise.resolve(), isToBeMade: () => false, fault: () => undefined },
  ...{ text: () => undefined, retryAfterMs: () => undefined },
}

const maps = async () =>
  (await listAll<V1ConfigMap>(kube, { path: PATH, labelSelector: 'rates.driveaway.dev/published=clients' })).items
const mapNamed = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE } })

function publisherOf(clients: ShowroomClientObject[]) {
  const ledger = emptyClientsLedger()
  let shards: V1ConfigMap[] = []
  const publisher: ClientsPublisher = {
    ...{ cluster: { kube, namespace: NAMESPACE }, ledger, now: () => new Date(), secrets },
    ...{ issuer: 'https://own.example/', decode: clientsDecoder(), objects: () => clients, shards: () => shards },
  }
  const publish = async () => {
    shards = await maps()
    return publishClients(publisher)
  }
  const conditionsOf = (name: string) => {
    const record = ledger.records.get(name)
    return record && clientStatus(record, { processes: [], inForce: {}, now: '2026-11-22T00:00:00Z' }).conditions
  }
  return { ledger, publish, conditionsOf }
}

async function published(index: Awaited<ReturnType<typeof publishClients>>['index']) {
  const texts = new Map((await maps()).map((map) => [map.metadata?.name ?? '', map.data?.['shard.json'] ?? '']))
  return (await clientsDecoder()(index, texts)).byId
}

test('a shard that is refused is the fault of the clients that it would change, and the other shards are published', async () => {
  const clients = Array.from({ length: COUNT }, (_, number) => client(number))
  const { ledger, publish, conditionsOf } = publisherOf(clients)
  await publish()
  const inShard = (shard: number) => clients.findIndex(({ metadata }) => shardOfClient(metadata.name, 2) === shard)
  const [first, other] = [inShard(0), inShard(1)]
  const [a, b] = [clients[first]!, clients[other]!]

  // What the shard of the suspension will be called is taken by what nobody can delete.
  clients[first] = suspended(a)
  const { index } = await publish()
  const taken = index.shards[0]?.name ?? ''
  clients[first] = a
  await publish()
  await kube.delete(mapNamed(taken))
  const stays = { ...mapNamed(taken), metadata: { ...mapNamed(taken).metadata, finalizers: ['example.com/stays'] } }
  await kube.create<V1ConfigMap>(stays)

  clients[first] = suspended(a)
  clients[other] = suspended(b)
  const run = await publish()
  const byId = await published(run.index)
  expect([byId.get(a.metadata.name)?.suspended, byId.get(b.metadata.name)?.suspended]).toEqual([false, true])
  expect(byId.size).toBe(COUNT)
  expect(run.afterMs).toBe(30_000)
  const message = `spec: ConfigMap ${taken} cannot be written: another object has its name; delete that (shard-refused)`
  expect(conditionsOf(a.metadata.name)).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'CheckFailed', message },
    { type: 'Published', status: 'True', reason: 'LastGood' },
    { type: 'Loaded', status: 'False', reason: 'Held' },
    { type: 'Stalled', status: 'True', message },
  ])
  expect(conditionsOf(b.metadata.name)).toMatchObject([{ type: 'Ready', status: 'True' }, {}, {}])
  expect(ledger.refused?.size).toBe(1)

  // The operator has asked for its deletion by now.
  const reference = mapNamed(taken)
  await kube.patchMetadata(reference, { finalizers: [] } as never, { fieldManager: 'test' })
  const { index: mended } = await publish()
  expect((await published(mended)).get(a.metadata.name)?.suspended).toBe(true)
  expect(ledger.refused?.size).toBe(0)
}, 60_000)
