import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients, type ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { clientStatus } from '../../../operator/showroom-client/status.ts'
import { startControlPlane } from '../../harness/control-plane.ts'

const secrets: ClientsPublisher['secrets'] = {
  ...{ ensure: () => Promise.resolve(), isToBeMade: () => false, fault: () => undefined },
  ...{ text: () => undefined, retryAfterMs: () => undefined },
}

/** The operator's publisher of clients in this process, on a real kube-apiserver, with objects that a test makes up. */
export async function startClientsPlace(namespace: string) {
  const controlPlane = await startControlPlane()
  const kube = kubeOf(controlPlane.kubeConfig)
  const metadata = { name: namespace } as KubernetesObject['metadata']
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, { fieldManager: 'test', force: true })
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const maps = async () =>
    (await listAll<V1ConfigMap>(kube, { path, labelSelector: 'rates.driveaway.dev/published=clients' })).items
  const mapNamed = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })

  function publisherOf(clients: ShowroomClientObject[]) {
    const ledger = emptyClientsLedger()
    let shards: V1ConfigMap[] = []
    const publisher: ClientsPublisher = {
      ...{ cluster: { kube, namespace }, ledger, now: () => new Date(), secrets },
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

  return { kube, mapNamed, publisherOf, published, stop: () => controlPlane.stop() }
}

/** A ShowroomClient of this name with one subject of its own. */
export function clientNamed(name: string, namespace: string): ShowroomClientObject {
  return {
    ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
    metadata: { name, namespace, uid: `uid-${name}`, generation: 1, resourceVersion: '1' },
    spec: {
      ...{ displayName: 'Invented', showroomCodes: ['MEL01'], grants: ['pricing:quote'], suspended: false },
      credentials: [{ subject: { issuer: 'https://login.example/', subject: `subject-${name}` } }],
    },
  }
}

export const suspended = ({ metadata, spec, ...rest }: ShowroomClientObject): ShowroomClientObject => ({
  ...{ ...rest, metadata: { ...metadata, generation: 2 }, spec: { ...spec, suspended: true } },
})
