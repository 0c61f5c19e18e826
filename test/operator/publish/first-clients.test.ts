import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { CLIENTS_INDEX } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { PUBLISH_CLIENTS } from '../../../operator/loop/keys.ts'
import { operatorMetrics } from '../../../operator/loop/metrics.ts'
import { refusalLog } from '../../../operator/loop/refusals.ts'
import { publish, type Work } from '../../../operator/loop/work.ts'
import type { Source } from '../../../operator/publish/sources.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { publishClients, type ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

let plane: ControlPlane
let kube: Kube
let namespaces = 0
beforeAll(async () => {
  plane = await startControlPlane()
  kube = kubeOf(plane.kubeConfig)
})
afterAll(() => plane.stop())

/** A namespace with nothing in it, and the object of a client that was ready before. */
async function newPlace() {
  const namespace = `place-${(namespaces += 1)}`
  await kube.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as never)
  const at = { generation: 1, resourceVersion: '1', uid: 'uid-east' }
  const client = {
    ...{
      apiVersion: 'rates.driveaway.dev/v1alpha1',
      kind: 'ShowroomClient',
      metadata: { name: 'east', namespace, ...at },
    },
    spec: { displayName: 'East', showroomCodes: ['MEL01'], grants: [], credentials: [{ secretRef: { name: 'east' } }] },
    status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as ShowroomClientObject
  return { namespace, client }
}

type Place = Awaited<ReturnType<typeof newPlace>>

/** A new operator, and the Secrets of which it says that they were made again. */
function newOperator({ namespace, client }: Place, sources: readonly Source[] = []) {
  const remade: string[] = []
  const publisher: ClientsPublisher = {
    cluster: { kube, namespace },
    objects: () => [client],
    shards: () => [],
    secrets: clientSecrets({ kube, namespace }, () => undefined),
    issuer: 'https://driveaway.example/',
    decode: clientsDecoder(),
    ledger: emptyClientsLedger(),
    now: () => new Date(),
    freshness: { sources },
    onRemade: (all) => Promise.resolve(void remade.push(...all.map(({ secret }) => secret))),
  }
  return { publisher, remade }
}

const configMap = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

test('the empty index is made before what is behind is listed, which happens once', async () => {
  const place = await newPlace()
  const isThereWhileListed: boolean[] = []
  const collection = { path: `/api/v1/namespaces/${place.namespace}/configmaps` }
  let version = '1'
  const relist = async () => {
    isThereWhileListed.push((await kube.get(configMap(CLIENTS_INDEX, place.namespace))) !== undefined)
    version = (await kube.page({ ...collection, limit: 1 })).metadata?.resourceVersion ?? ''
  }
  const source = {
    name: 'showroomclients',
    collection,
    resourceVersion: () => version,
    setBack: () => undefined,
    relist,
  }
  const run = await publishClients(newOperator(place, [source]).publisher)
  expect(run.isNew).toBe(true)
  expect(isThereWhileListed).toEqual([true])
})

test.each([
  ['alone', []],
  ['together with the index', [CLIENTS_INDEX]],
])('a Secret that was deleted %s and is made again is told of', async (_, alsoDeleted) => {
  const place = await newPlace()
  await publishClients(newOperator(place).publisher)
  const secret = { ...configMap('east', place.namespace), kind: 'Secret' }
  for (const each of [secret, ...alsoDeleted.map((name) => configMap(name, place.namespace))]) await kube.delete(each)
  const { publisher, remade } = newOperator(place)
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})

test('a refused Secret that becomes due during the run is tried again at once, not only when all is looked at again', async () => {
  const { publisher } = newOperator(await newPlace())
  const log = createLog({ name: 'test', level: 'silent' })
  const work = {
    clients: { ...publisher, secrets: { ...publisher.secrets, retryAfterMs: () => 0 } },
    metrics: operatorMetrics({ rates: emptyRatesLedger(), clients: publisher.ledger }),
    ...{ refusals: refusalLog(log), log, clock: systemClock },
  } as unknown as Work
  expect((await publish(work, PUBLISH_CLIENTS)).afterMs).toBe(1)
})
