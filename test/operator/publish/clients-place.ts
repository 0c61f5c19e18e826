import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import type { Source } from '../../../operator/publish/sources.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import type { ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

export interface Place {
  namespace: string
  clients: ShowroomClientObject[]
}

export const MANY = Array.from({ length: 60 }, (_, number) => `client-${number}`)

export const configMap = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

let plane: ControlPlane
let namespaces = 0
/** The control plane of the tests of one file. */
export let kube: Kube

export async function startPlaces(): Promise<void> {
  plane = await startControlPlane()
  kube = kubeOf(plane.kubeConfig)
}

export const stopPlaces = () => plane.stop()

/** A namespace with nothing in it, and the objects of clients that were ready before; the first is `east`. */
export async function newPlace(names: readonly string[] = ['east']) {
  const namespace = `place-${(namespaces += 1)}`
  await kube.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as never)
  return { namespace, clients: names.map((name) => clientNamed(name, namespace)) }
}

/** A new operator, and the Secrets of which it says that they were made again. */
export function newOperator({ namespace, clients }: Place, sources: readonly Source[] = []) {
  const remade: string[] = []
  const publisher: ClientsPublisher = {
    cluster: { kube, namespace },
    objects: () => clients,
    shards: () => [],
    secrets: clientSecrets({ kube, namespace }, () => undefined),
    issuer: 'https://driveaway.example/',
    decode: clientsDecoder(),
    ledger: emptyClientsLedger(),
    now: () => new Date(),
    freshness: { sources },
    onRemade: ({ secret }) => Promise.resolve(void remade.push(secret)),
  }
  return { publisher, remade }
}

/** A cache that is behind until it is listed. */
export function cacheOf({ namespace }: Place, onList: () => Promise<unknown>): Source {
  const collection = { path: `/api/v1/namespaces/${namespace}/configmaps` }
  let version = '1'
  const relist = async () => {
    await onList()
    version = (await kube.page({ ...collection, limit: 1 })).metadata?.resourceVersion ?? ''
  }
  return { name: 'showroomclients', collection, resourceVersion: () => version, setBack: () => undefined, relist }
}

function clientNamed(name: string, namespace: string): ShowroomClientObject {
  const metadata = { name, namespace, generation: 1, resourceVersion: '1', uid: `uid-${name}` }
  return {
    ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient', metadata },
    spec: { displayName: name, showroomCodes: ['MEL01'], grants: [], credentials: [{ secretRef: { name } }] },
    status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as ShowroomClientObject
}

/** The operator with something that happens before it makes Secrets. */
export function beforeSecrets(publisher: ClientsPublisher, meanwhile: () => Promise<unknown>): ClientsPublisher {
  const { secrets } = publisher
  const ensure: typeof secrets.ensure = async (names, isOvertaken) => {
    await meanwhile()
    await secrets.ensure(names, isOvertaken)
  }
  return { ...publisher, secrets: { ...secrets, ensure } }
}
