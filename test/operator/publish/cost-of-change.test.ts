import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients, type ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

let controlPlane: ControlPlane

beforeAll(async () => {
  controlPlane = await startControlPlane()
}, 60_000)
afterAll(() => controlPlane.stop())

function clientNumber(number: number): ShowroomClientObject {
  const name = `client-${String(number).padStart(6, '0')}`
  const uid = `0b2f0c5e-1111-2222-3333-${String(number).padStart(12, '0')}`
  const credentials = [{ secretRef: { name } }]
  return {
    ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
    metadata: { name, namespace: 'x', uid, generation: 1, resourceVersion: '1' },
    spec: { displayName: `${name} Motors`, showroomCodes: ['MEL01', 'SYD01'], grants: ['pricing:quote'], credentials },
  }
}

/** Counts what is written, and the bytes of it. */
function counting(kube: Kube) {
  const written = { writes: 0, bytes: 0 }
  const count = <T>(body: T): T => {
    written.writes += 1
    written.bytes += JSON.stringify(body).length
    return body
  }
  const counted: Kube = {
    ...kube,
    create: (object, options) => kube.create(count(object), options),
    apply: (object, options) => kube.apply(count(object), options),
    patchMetadata: (reference, metadata, options) => kube.patchMetadata(reference, count(metadata), options),
  }
  return { kube: counted, written }
}

const secrets: ClientsPublisher['secrets'] = {
  ensure: () => Promise.resolve(),
  isToBeMade: () => false,
  text: (name) => name.padEnd(43, '-'),
  fault: () => undefined,
  retryAfterMs: () => undefined,
}

/** What one suspension among so many clients costs, after they were published. */
async function costAmong(count: number) {
  const kube = kubeOf(controlPlane.kubeConfig)
  const namespace = `clients-${count}`
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } as KubernetesObject['metadata'] }
  await kube.apply(body, { fieldManager: 'test', force: true })
  const { kube: counted, written } = counting(kube)
  const clients = Array.from({ length: count }, (_, number) => clientNumber(number))
  let shards: V1ConfigMap[] = []
  const publisher: ClientsPublisher = {
    ...{ cluster: { kube: counted, namespace }, ledger: emptyClientsLedger(), now: () => new Date(), secrets },
    ...{ issuer: 'https://driveaway.example/', decode: clientsDecoder(), objects: () => clients, shards: () => shards },
  }
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const publish = async () => {
    shards = (await listAll<V1ConfigMap>(kube, { path, labelSelector: 'rates.driveaway.dev/published=clients' })).items
    const [before, cpuBefore] = [{ ...written }, process.cpuUsage()]
    await publishClients(publisher)
    const { user, system } = process.cpuUsage(cpuBefore)
    const { writes, bytes } = written
    return { writes: writes - before.writes, bytes: bytes - before.bytes, cpuMs: Math.round((user + system) / 1000) }
  }
  await publish()
  // The second run knows what the first one wrote.
  await publish()
  const last = clients.at(-1)!
  const metadata = { ...last.metadata, generation: 2 }
  clients[count - 1] = { ...last, metadata, spec: { ...last.spec, suspended: true } }
  return publish()
}

test('one change among 50,000 clients writes no more than one among 1,000', async () => {
  const costs = []
  for (const count of [1000, 10_000, 50_000]) costs.push({ clients: count, ...(await costAmong(count)) })
  console.table(costs)
  const [few, many, most] = costs
  // One shard, the history and the index.
  expect(costs.map(({ writes }) => writes)).toEqual([3, 3, 3])
  expect(many!.bytes).toBeLessThan(few!.bytes * 1.2)
  expect(most!.bytes).toBeLessThan(few!.bytes * 1.2)
}, 300_000)
