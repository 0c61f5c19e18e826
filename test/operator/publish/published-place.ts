import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { decodeRates } from '#rates/published/decode.ts'
import { pageNamesIn, parseRatesIndex } from '#rates/published/parse-index.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { RATES_INDEX } from '#rates/published/format.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { systemClock } from '#runtime/clock.ts'
import { inProcess, rateSetChecks } from '../../../operator/rate-set/checks.ts'
import { evaluator } from '../../../operator/rate-set/evaluate.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import type { RateSetObject, RateSetStatus } from '../../../operator/rate-set/object.ts'
import { publishRates, type RatesPublisher } from '../../../operator/rate-set/publish.ts'
import { startControlPlane } from '../../harness/control-plane.ts'
import { applySurroundings } from '../manifests.ts'

const CONFIG_MAPS = '/api/v1/namespaces/driveaway/configmaps'

/** The operator's publisher of rates in this process, on a real kube-apiserver, with objects that a test makes up. */
export async function startPublishedPlace() {
  const controlPlane = await startControlPlane()
  await applySurroundings(controlPlane.kubeConfig)
  return new PublishedPlace(kubeOf(controlPlane.kubeConfig), () => controlPlane.stop())
}

export class PublishedPlace {
  readonly kube: Kube
  objects: RateSetObject[] = []
  /** By name of the set, for the objects of the next publication. */
  readonly statuses = new Map<string, RateSetStatus>()
  now = () => new Date()
  /** What the publisher is given besides, from the next restart on. */
  around: Partial<RatesPublisher> = {}
  #publisher: RatesPublisher
  #shards: V1ConfigMap[] = []
  readonly #followed = new Map<string, V1ConfigMap>()
  readonly stop: () => Promise<void>

  constructor(kube: Kube, stop: () => Promise<void>) {
    this.stop = stop
    this.kube = kube
    this.#publisher = this.#newPublisher()
  }

  /** Forgets everything that only an operator's memory holds. */
  restart(): void {
    this.#publisher = this.#newPublisher()
  }

  /** Another term of the same process, as after a server that was away for longer than a lease. */
  leadAgain(): void {
    const { ledger } = this.#publisher
    this.#publisher = { ...this.#newPublisher(), ledger }
  }

  #newPublisher(): RatesPublisher {
    return {
      ...this.around,
      ...{
        cluster: { kube: this.#following(this.kube), namespace: 'driveaway' },
        ledger: emptyRatesLedger(),
      },
      ...{ objects: () => this.objects, shards: () => this.#shards, now: () => this.now() },
      evaluate: evaluator(inProcess(rateSetChecks(checkRateSet)), { ...systemClock, now: () => this.now() }),
    }
  }

  get ledger() {
    return this.#publisher.ledger
  }

  /** Publishes these specs, with what the watch of shards would hold now. */
  async publish(...specs: RateSetSpec[]) {
    this.#shards = await this.maps('rates')
    return this.#publish(specs)
  }

  /** Publishes these specs, with what a watch that was never behind would hold: this process made all the changes. */
  publishNext(...specs: RateSetSpec[]) {
    this.#shards = [...this.#followed.values()]
    return this.#publish(specs)
  }

  #publish(specs: RateSetSpec[]) {
    this.objects = specs.map((spec, at) => {
      const object = objectOf(spec, at + 1)
      const status = this.statuses.get(object.metadata.name)
      return status ? { ...object, status } : object
    })
    return publishRates(this.#publisher)
  }

  /** The kube of the publisher, which takes note of its writes as a watch would. */
  #following(kube: Kube): Kube {
    const note = <T extends KubernetesObject>(stored: T): T => {
      if (stored.metadata?.labels?.['rates.driveaway.dev/published'] === 'rates')
        this.#followed.set(stored.metadata.name ?? '', stored)
      return stored
    }
    return {
      ...kube,
      create: async <T extends KubernetesObject>(...given: Parameters<Kube['create']>) =>
        note(await kube.create<T>(...given)),
      patchMetadata: async <T extends KubernetesObject>(...given: Parameters<Kube['patchMetadata']>) =>
        note(await kube.patchMetadata<T>(...given)),
      delete: async (...about) => {
        const isGone = await kube.delete(...about)
        this.#followed.delete(about[0].metadata.name)
        return isGone
      },
    }
  }

  async maps(kind: string): Promise<V1ConfigMap[]> {
    const labelSelector = `rates.driveaway.dev/published=${kind}`
    return (await listAll<V1ConfigMap>(this.kube, { path: CONFIG_MAPS, labelSelector })).items
  }

  /** Deletes the ConfigMaps of which the name contains one of these. */
  async remove(...parts: string[]): Promise<void> {
    const all = (await listAll<V1ConfigMap>(this.kube, { path: CONFIG_MAPS })).items
    const named = all.flatMap(({ metadata }) => metadata?.name ?? [])
    for (const name of named.filter((each) => parts.some((part) => each === part || each.includes(`-${part}-`))))
      await this.kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'driveaway' } })
  }

  /** What readers find: the index and each of its sets, verified. Throws where a shard is gone. */
  async read() {
    const index = await this.index()
    const shards = new Map((await this.maps('rates')).map((map) => [map.metadata?.name ?? '', textOf(map)]))
    return { index, sets: new Map(decodeRates(index, shards).map((set) => [set.entry.name, set.spec])) }
  }

  async index() {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: RATES_INDEX, namespace: 'driveaway' } }
    const text = (await this.kube.get<V1ConfigMap>(reference))?.data?.['index.json'] ?? ''
    const pages = new Map<string, string>()
    for (const name of pageNamesIn(text)) {
      const page = await this.kube.get<V1ConfigMap>({ ...reference, metadata: { ...reference.metadata, name } })
      pages.set(name, textOf(page))
    }
    return parseRatesIndex(text, pages)
  }
}

const textOf = (map: V1ConfigMap | undefined) => map?.data?.['shard.json'] ?? ''

export function objectOf(spec: RateSetSpec, generation: number): RateSetObject {
  const name = rateSetName(spec.pricingCode, spec.financialYear)
  const metadata = { name, namespace: 'driveaway', uid: `uid-${name}`, generation, resourceVersion: String(generation) }
  return { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata, spec }
}
