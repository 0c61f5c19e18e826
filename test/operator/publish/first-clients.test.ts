import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import { CLIENTS_INDEX } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import { createLog } from '#runtime/log.ts'
import { PUBLISH_CLIENTS } from '../../../operator/loop/keys.ts'
import { operatorMetrics } from '../../../operator/loop/metrics.ts'
import { refusalLog } from '../../../operator/loop/refusals.ts'
import { publish, type Work } from '../../../operator/loop/work.ts'
import type { Restored, Source } from '../../../operator/publish/sources.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import type { RemadeSecret } from '../../../operator/showroom-client/remade.ts'
import { createRevocations } from '../../../operator/showroom-client/revocations.ts'
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

/** A namespace with nothing in it, and the objects of clients that were ready before; the first is `east`. */
async function newPlace(names: readonly string[] = ['east']) {
  const namespace = `place-${(namespaces += 1)}`
  await kube.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as never)
  return { namespace, clients: names.map((name) => clientNamed(name, namespace)) }
}

function clientNamed(name: string, namespace: string): ShowroomClientObject {
  const metadata = { name, namespace, generation: 1, resourceVersion: '1', uid: `uid-${name}` }
  return {
    ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient', metadata },
    spec: { displayName: name, showroomCodes: ['MEL01'], grants: [], credentials: [{ secretRef: { name } }] },
    status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as ShowroomClientObject
}

type Place = Awaited<ReturnType<typeof newPlace>>

/** A new operator, and the Secrets of which it says that they were made again. */
function newOperator({ namespace, clients }: Place, sources: readonly Source[] = []) {
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

const configMap = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

/** A cache that is behind until it is listed. */
function cacheOf({ namespace }: Place, onList: () => Promise<unknown>): Source {
  const collection = { path: `/api/v1/namespaces/${namespace}/configmaps` }
  let version = '1'
  const relist = async () => {
    await onList()
    version = (await kube.page({ ...collection, limit: 1 })).metadata?.resourceVersion ?? ''
  }
  return { name: 'showroomclients', collection, resourceVersion: () => version, setBack: () => undefined, relist }
}

test('the empty index is made before what is behind is listed, which happens once', async () => {
  const place = await newPlace()
  const isThereWhileListed: boolean[] = []
  const source = cacheOf(place, async () =>
    isThereWhileListed.push((await kube.get(configMap(CLIENTS_INDEX, place.namespace))) !== undefined),
  )
  const run = await publishClients(newOperator(place, [source]).publisher)
  expect(run.isNew).toBe(true)
  expect(isThereWhileListed).toEqual([true])
})

const MANY = Array.from({ length: 60 }, (_, number) => `client-${number}`)

/** The operator with something that happens before it makes Secrets. */
function beforeSecrets(publisher: ClientsPublisher, meanwhile: () => Promise<unknown>): ClientsPublisher {
  const { secrets } = publisher
  const ensure: typeof secrets.ensure = async (names, isOvertaken) => {
    await meanwhile()
    await secrets.ensure(names, isOvertaken)
  }
  return { ...publisher, secrets: { ...secrets, ensure } }
}

test('what is behind is listed while many Secrets are made, and not again afterwards', async () => {
  const place = await newPlace(MANY)
  const done: string[] = []
  const listed = Promise.withResolvers<void>()
  const source = cacheOf(place, () => Promise.resolve(listed.resolve(void done.push('listed'))))
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    await Promise.race([listed.promise, systemClock.sleep(3000)])
    done.push('Secrets')
  })
  const { index } = await publishClients(publisher)
  expect(done).toEqual(['listed', 'Secrets'])
  expect(index.sources).toEqual({ showroomclients: source.resourceVersion() })
})

test.each(['before the run', 'while caches are listed'])(
  'a suspension that comes %s does not wait for the list',
  async (when) => {
    const place = await newPlace(['east', ...MANY])
    const [east] = place.clients as [ShowroomClientObject]
    const { publisher: first } = newOperator({ ...place, clients: [east] })
    await publishClients(first)
    const suspended = { ...east, spec: { ...east.spec, suspended: true } }
    const clients = [suspended, ...place.clients.slice(1)]
    const revocations = createRevocations()
    const listing = Promise.withResolvers<void>()
    let lists = 0
    const source = cacheOf(place, () => {
      lists += 1
      listing.resolve()
      return new Promise(() => undefined)
    })
    if (when === 'before the run') revocations.add()
    const publisher = beforeSecrets(first, async () => {
      if (when === 'while caches are listed') await listing.promise.then(revocations.add)
    })
    const get = (reference: ObjectReference) =>
      reference.kind === 'ShowroomClient' ? Promise.resolve(suspended) : kube.get(reference)
    const cluster = { ...publisher.cluster, kube: { ...kube, get } as Kube }
    const freshness = { sources: [source] }
    await publishClients({ ...publisher, cluster, freshness, revocations, objects: () => clients })
    expect(publisher.ledger.records.get('east')?.binding?.suspended).toBe(true)
    expect(lists).toBe(when === 'before the run' ? 0 : 1)
  },
)

test('where everything must be listed, a suspension waits for the list in progress and begins no other', async () => {
  const place = await newPlace(MANY)
  const revocations = createRevocations()
  let lists = 0
  const source = cacheOf(place, async () => {
    lists += 1
    revocations.add()
    await systemClock.sleep(300)
  })
  const { publisher } = newOperator(place, [source])
  expect((await publishClients({ ...publisher, revocations })).isNew).toBe(true)
  expect(lists).toBe(1)
})

test('a server that was restored while Secrets were made is found, though it was asked before', async () => {
  const place = await newPlace(MANY)
  let isAhead = false
  const listed = cacheOf(place, () => Promise.resolve())
  const source: Source = {
    ...listed,
    resourceVersion: () => (isAhead ? '999999999' : listed.resourceVersion()),
    relist: () => listed.relist().then(() => void (isAhead = false)),
  }
  const restored: string[] = []
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    if (restored.length > 0) return
    await systemClock.sleep(300)
    isAhead = true
  })
  const onRestored = ({ source, known }: Restored) => Promise.resolve(void restored.push(`${source} ${known}`))
  expect((await publishClients({ ...publisher, freshness: { sources: [source], onRestored } })).isNew).toBe(true)
  expect(restored).toEqual(['showroomclients 999999999'])
})

test('a cache that went on after the server was asked is no sign of a restore', async () => {
  const place = await newPlace(MANY)
  const listed = Promise.withResolvers<void>()
  const source = cacheOf(place, () => Promise.resolve(listed.resolve()))
  const publisher = beforeSecrets(newOperator(place, [source]).publisher, async () => {
    await listed.promise
    await kube.create(configMap('anything', place.namespace))
    await source.relist()
  })
  const restored: string[] = []
  const onRestored = ({ source }: Restored) => Promise.resolve(void restored.push(source))
  await publishClients({ ...publisher, freshness: { sources: [source], onRestored } })
  expect(restored).toEqual([])
})

test('a suspension does not wait until thousands of Secrets that were made again are told of', async () => {
  const place = await newPlace(['east', 'west'])
  const { publisher } = newOperator(place)
  const revocations = createRevocations()
  const remade: string[] = []
  const onRemade = ({ secret }: RemadeSecret) => {
    remade.push(secret)
    revocations.add()
    return Promise.resolve()
  }
  await publishClients({ ...publisher, revocations, onRemade })
  expect(remade).toEqual(['east'])
  await publishClients({ ...publisher, revocations, onRemade })
  expect(remade).toEqual(['east', 'west'])
})

test('an index that others published and lost while Secrets were made is not replaced by what was read before', async () => {
  const place = await newPlace(MANY)
  const lose = [CLIENTS_INDEX, `${CLIENTS_INDEX}-history`].map((name) => configMap(name, place.namespace))
  const source = cacheOf(place, () => Promise.resolve())
  const { publisher: idle } = newOperator(place, [source])
  const publisher = beforeSecrets(idle, () => Promise.all(lose.map((each) => kube.delete(each))))
  await expect(publishClients(publisher)).rejects.toThrow(/driveaway-clients-history/)
  expect(await kube.get(lose[0]!)).toBeUndefined()
  const { isNew } = await publishClients(newOperator(place, [source]).publisher)
  expect(isNew).toBe(true)
})

test('Secrets that were made again in a run that failed are told of by the next one', async () => {
  const place = await newPlace()
  const lose = [CLIENTS_INDEX, `${CLIENTS_INDEX}-history`].map((name) => configMap(name, place.namespace))
  const { publisher, remade } = newOperator(place)
  const ensure: typeof publisher.secrets.ensure = async (names) => {
    await publisher.secrets.ensure(names)
    await Promise.all(lose.map((each) => kube.delete(each)))
  }
  await expect(publishClients({ ...publisher, secrets: { ...publisher.secrets, ensure } })).rejects.toThrow()
  expect(remade).toEqual([])
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
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

test('a Secret that was deleted and is refused at first is told of once it is made again', async () => {
  const place = await newPlace(['east', 'new'])
  const unready = { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'False' }] } as never
  place.clients[1] = { ...place.clients[1]!, status: unready }
  const { publisher, remade } = newOperator(place)
  const refusing = { ...kube, create: () => Promise.reject(new Error('exceeded quota')) } as unknown as Kube
  const refused = clientSecrets({ kube: refusing, namespace: place.namespace }, () => undefined)
  await publishClients({ ...publisher, secrets: refused })
  // As the status then says.
  place.clients[0] = { ...place.clients[0]!, status: unready }
  await publishClients({ ...publisher, secrets: refused })
  expect(remade).toEqual([])
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
