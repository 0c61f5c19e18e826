import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients } from '../../../operator/showroom-client/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

let controlPlane: ControlPlane

beforeAll(async () => {
  controlPlane = await startControlPlane()
}, 60_000)
afterAll(() => controlPlane.stop())

/** One for each test. */
let NAMESPACE = ''
const indexes = () => `/api/v1/namespaces/${NAMESPACE}/configmaps`

async function begin(namespace: string) {
  NAMESPACE = namespace
  const kube = kubeOf(controlPlane.kubeConfig)
  const metadata = { name: NAMESPACE } as KubernetesObject['metadata']
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, { fieldManager: 'test', force: true })
}

async function takeAway(isTaken: (name: string) => boolean): Promise<void> {
  const kube = kubeOf(controlPlane.kubeConfig)
  for (const { metadata: { name = '' } = {} } of (await listAll<V1ConfigMap>(kube, { path: indexes() })).items)
    if (isTaken(name)) await kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE } })
}

const condition = { lastTransitionTime: '2026-11-21T00:00:00Z', observedGeneration: 1 }

function client(name: string, more: object[] = [], reason?: string): ShowroomClientObject {
  const published = { type: 'Published', status: 'True' as const, reason: reason ?? '', message: '', ...condition }
  return {
    ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
    metadata: { name, namespace: NAMESPACE, uid: `uid-${name}`, generation: 1, resourceVersion: '1' },
    spec: {
      ...{ displayName: name, showroomCodes: ['MEL01'], grants: ['pricing:quote'] },
      credentials: [{ secretRef: { name } }, ...more] as ShowroomClientObject['spec']['credentials'],
    },
    ...(reason && { status: { observedGeneration: 1, conditions: [published] } }),
  }
}

/** A credential that names the installation's own issuer: a fault of its client. */
const OWN = { subject: { issuer: 'https://driveaway.example/', subject: 'me' } }

/** A publication from what the server has: by default a new operator's first one. */
async function publish(clients: ShowroomClientObject[], ledger = emptyClientsLedger()): Promise<string[]> {
  const kube = kubeOf(controlPlane.kubeConfig)
  const selected = { path: indexes(), labelSelector: 'rates.driveaway.dev/published=clients' }
  const shards = () => listAll<V1ConfigMap>(kube, selected)
  const { items } = await shards()
  const decode = clientsDecoder()
  const secrets = {
    ...{ ensure: () => Promise.resolve(), isToBeMade: () => false, fault: () => undefined },
    ...{ text: (name: string) => name.padEnd(43, '-'), retryAfterMs: () => undefined },
  }
  const { index } = await publishClients({
    ...{ cluster: { kube, namespace: NAMESPACE }, ledger, now: () => new Date(), secrets },
    ...{ issuer: 'https://driveaway.example/', decode, objects: () => clients, shards: () => items },
  })
  const texts = new Map((await shards()).items.map((map) => [map.metadata?.name ?? '', map.data?.['shard.json'] ?? '']))
  return [...(await decode(index, texts)).byId.keys()].sort()
}

test('with index, history and shards all gone, a client at fault that was published stays in force', async () => {
  await begin('nothing-left')
  expect(await publish([client('northside'), client('southside')])).toEqual(['northside', 'southside'])
  await takeAway((name) => name.includes('clients'))
  const atFault = [client('northside', [OWN], 'Published'), client('eastside', [OWN]), client('southside')]
  // What was never published does not come in by this door.
  expect(await publish(atFault)).toEqual(['northside', 'southside'])
})

test('the operator that published a lost shard goes on from what was in the shard, before a status tells of it', async () => {
  await begin('own-shard')
  const ledger = emptyClientsLedger()
  expect(await publish([client('northside')], ledger)).toEqual(['northside'])
  await takeAway((name) => name.startsWith('clients-'))
  expect(await publish([client('northside', [OWN])], ledger)).toEqual(['northside'])
})
