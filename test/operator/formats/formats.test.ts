import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import { clientsDecoder } from '#rates/published/decode-clients.ts'
import type { ClientsIndex, RatesIndex, Shard } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { createLog } from '#runtime/log.ts'
import { createHolder, type Held } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { inProcess, rateSetChecks } from '../../../operator/rate-set/checks.ts'
import { evaluator } from '../../../operator/rate-set/evaluate.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { publishRates } from '../../../operator/rate-set/publish.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import { publishClients } from '../../../operator/showroom-client/publish.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { clientSecretText, readFixture, type Fixture } from './fixture.ts'

let controlPlane: ControlPlane
let kube: Kube
beforeAll(async () => {
  controlPlane = await startControlPlane()
  kube = kubeOf(controlPlane.kubeConfig)
}, 60_000)
afterAll(() => controlPlane.stop())

const log = createLog({ name: 'test', level: 'silent' })
const OPTIONS = { fieldManager: 'test', force: true }

/** What a format's operator has stored, in a namespace of its own, with this version's publishers and API loader. */
async function place(format: number, namespace: string) {
  const fixture = readFixture(format)
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, OPTIONS)
  for (const { metadata, ...map } of fixture.configMaps) {
    const { name = '', labels = {}, annotations = {} } = metadata ?? {}
    await kube.apply({ ...map, apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels, annotations } }, OPTIONS)
  }
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const maps = async () => (await listAll<V1ConfigMap>(kube, { path })).items
  return { maps, publish: publisherOf(fixture, namespace, maps), load: () => load(namespace) }
}

/** The shipped publishers, which write the format that they are told. */
function publisherOf({ rateSets, showroomClients }: Fixture, namespace: string, maps: () => Promise<V1ConfigMap[]>) {
  const secrets = {
    ...{ ensure: () => Promise.resolve(), fault: () => undefined, isToBeMade: () => false, retryAfterMs: () => undefined },
    text: clientSecretText,
  }
  const now = () => new Date('2026-11-23T00:00:00Z')
  return async (format: number) => {
    const shards = (await maps()).filter(({ data }) => data?.['shard.json'])
    const common = { cluster: { kube, namespace }, now, shards: () => shards, format: () => format }
    await publishRates({
      ...{ ...common, objects: () => rateSets, ledger: emptyRatesLedger() },
      evaluate: evaluator(inProcess(rateSetChecks(checkRateSet)), { ...systemClock, now }),
    })
    await publishClients({
      ...{ ...common, objects: () => showroomClients, ledger: emptyClientsLedger(), secrets },
      ...{ decode: clientsDecoder(), issuer: 'https://driveaway.example/' },
    })
  }
}

/** What an API process of this version loads from what is stored. */
async function load(namespace: string): Promise<Held> {
  const holder = createHolder()
  const source = startKubernetesSource({ kube, namespace, holder, log, parts: ['rates', 'clients'] })
  try {
    await waitFor('rates and clients', () => Promise.resolve(holder.read().rates && holder.read().clients))
    return holder.read()
  } finally {
    await source.stop()
  }
}

/** What is due whatever the format: last good contents, a set without an object, a narrowed and suspended client. */
const DUE = {
  fees: { 'au-fy27': '1.00', 'au-nsw-fy27': '40.00', 'au-qld-fy27': '10.00', 'au-vic-fy27': '12.00' },
  suspended: { northside: false, westside: true },
}

function served({ rates, clients }: Held) {
  const programs = Object.keys(rates?.snapshot.digests ?? {}).sort()
  const suspended = Object.fromEntries([...(clients?.byId ?? [])].map(([id, client]) => [id, client.suspended]))
  return { programs, suspended, release: rates?.snapshot.release, digest: clients?.digest }
}

const isDue = { programs: Object.keys(DUE.fees), suspended: DUE.suspended }

function indexIn<I extends RatesIndex | ClientsIndex>(maps: V1ConfigMap[], name: string): I {
  return JSON.parse(maps.find(({ metadata }) => metadata?.name === name)?.data?.['index.json'] ?? '') as I
}

/** Reads as version 1 did: entries in the index itself, and shards that are named by kind, owner and digest alone. */
function readAsVersion1(maps: V1ConfigMap[]) {
  const rates = indexIn<RatesIndex>(maps, 'driveaway-rates')
  const clients = indexIn<ClientsIndex>(maps, 'driveaway-clients')
  const shards = new Map(maps.map(({ metadata, data }) => [metadata?.name, data?.['shard.json']]))
  const references = [...rates.sets.flatMap((set) => set.shards), ...clients.shards]
  const read = references.map(({ name }) => JSON.parse(shards.get(name) ?? 'null') as Shard | null)
  const names = references.map(({ name }) => name.replace(/-[0-9a-f]{12}$/, ''))
  const fees = rates.sets.map(({ name }, at) => [name, /"(?:flat|value)":"([\d.]+)"/.exec(read[at]?.text ?? '')?.[1]])
  const versions = [rates.formatVersion, clients.formatVersion, ...read.map((shard) => shard?.formatVersion)]
  return { names, fees: Object.fromEntries(fees) as object, versions: [...new Set(versions)] }
}

test.each([1, 2])('what an operator of format %i stored is loaded by the API', async (format) => {
  const { load } = await place(format, `loaded-${format}`)
  expect(served(await load())).toMatchObject(isDue)
})

test.each([1, 2])('format %i is rolled forward to 2 and back to 1, with the same release and nothing lost', async (format) => {
  const { load, publish, maps } = await place(format, `rolled-${format}`)
  const before = served(await load())
  await publish(2)
  expect(served(await load())).toEqual(before)
  const forward = await maps()
  expect(indexIn<RatesIndex>(forward, 'driveaway-rates')).toMatchObject({ formatVersion: 2, release: before.release })
  expect(indexIn<ClientsIndex>(forward, 'driveaway-clients').formatVersion).toBe(2)
  await publish(1)
  expect(served(await load())).toEqual(before)
  const back = await maps()
  expect(indexIn<RatesIndex>(back, 'driveaway-rates').release).toBe(before.release)
  expect(readAsVersion1(back)).toEqual({
    names: ['rates-au-fy27', 'rates-au-nsw-fy27', 'rates-au-qld-fy27', 'rates-au-vic-fy27', 'clients-00'],
    ...{ fees: DUE.fees, versions: [1] },
  })
  // Rolled forward once more: what version 1 published meanwhile is where this goes on from.
  await publish(2)
  expect(served(await load())).toEqual(before)
})

test.each([1, 2])('an operator that does not know what the API processes read goes on in format %i', async (format) => {
  const { publish, maps } = await place(format, `kept-${format}`)
  const before = indexIn<RatesIndex>(await maps(), 'driveaway-rates')
  await publish(format)
  expect(indexIn<RatesIndex>(await maps(), 'driveaway-rates')).toEqual(before)
})
