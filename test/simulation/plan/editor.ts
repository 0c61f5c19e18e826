import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { RATES_INDEX, type RateSetEntry } from '#rates/published/format.ts'
import { indexIn } from '../invariants/rates.ts'
import type { ModelServer } from '../server/model-server.ts'
import type { StoredObject } from '../server/object.ts'
import { NAMESPACE, nameOf, SECRETS_NAMESPACE, type ClientSpec, type Code } from './contents.ts'

/** The programs of a simulation, as far as an edit reaches them. */
export interface Machines {
  skew(luck: number, ms: number): void
  killOperator(luck: number): void
  killReader(luck: number): void
  changeLeader(luck: number, both: boolean): void
  silence(luck: number): void
}

const KINDS = 'rates.driveaway.dev/v1alpha1'
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const MANAGER = { fieldManager: 'editor', force: true }

/** What people do to a cluster, and what happens to its machines. */
export class Editor {
  readonly #server: ModelServer
  readonly #machines: Machines
  #earlier: RateSetEntry | undefined
  /** Annotations that go with a rate set, such as its attestation. */
  readonly #annotations: (code: Code, spec: RateSetSpec) => Record<string, string>

  constructor(
    server: ModelServer,
    machines: Machines,
    annotations: (code: Code, spec: RateSetSpec) => Record<string, string>,
  ) {
    this.#server = server
    this.#machines = machines
    this.#annotations = annotations
  }

  applySet(code: Code, spec: RateSetSpec): void {
    const metadata = { name: nameOf(code), namespace: NAMESPACE, annotations: this.#annotations(code, spec) }
    this.#server.apply({ apiVersion: KINDS, kind: 'RateSet', metadata, spec } as object, MANAGER)
  }

  deleteSet(code: Code): void {
    this.#delete({ apiVersion: KINDS, kind: 'RateSet', metadata: { name: nameOf(code), namespace: NAMESPACE } })
  }

  applyClient(name: string, spec: ClientSpec): void {
    this.#server.apply({ ...clientNamed(name), spec } as object, MANAGER)
  }

  deleteClient(name: string): void {
    this.#delete(clientNamed(name))
  }

  deleteSecret(name: string, isOwn = false): void {
    const namespace = isOwn ? NAMESPACE : SECRETS_NAMESPACE
    this.#delete({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } })
  }

  /** Puts a Secret where the operator's is or would be. */
  takeSecret(name: string): void {
    this.deleteSecret(name)
    const metadata = { name, namespace: SECRETS_NAMESPACE }
    this.#server.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      data: {},
    } as ObjectReference as never)
  }

  deleteConfigMap(name: string): void {
    this.#delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE } })
  }

  breakConfigMap(name: string): void {
    const metadata = { name, namespace: NAMESPACE }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'index.json': '{"broken' } }
    if (this.#server.get(object)) this.#server.apply(object, MANAGER)
  }

  /** Writes the index with the entry that a set had when this was done the last time, as if somebody had restored it. */
  mixIndex(set: string): void {
    const metadata = { name: RATES_INDEX, namespace: NAMESPACE }
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
    const stored = this.#server.get<{ data?: Record<string, string> }>(reference)
    const index = indexIn(stored as StoredObject | undefined)
    const present = index?.sets?.find(({ name }) => name === set)
    const earlier = this.#earlier
    this.#earlier = present
    if (!index || !present || !earlier) return
    const sets = index.sets.map((entry) => (entry === present ? earlier : entry))
    const mixed = { ...encodeRatesIndex(sets, index.sequence, index.formatVersion), sources: index.sources }
    this.#server.apply({ ...reference, data: { 'index.json': JSON.stringify(mixed) } } as object, MANAGER)
  }

  deleteOne(isMeant: (object: StoredObject) => boolean, luck: number): void {
    const found = this.#server.storage.list(CONFIG_MAPS).filter(isMeant)
    const chosen = found[Math.floor(luck * found.length)]
    if (chosen) this.deleteConfigMap(chosen.metadata.name)
  }

  compact(): void {
    this.#server.storage.compact()
  }

  skew(luck: number, ms: number): void {
    this.#machines.skew(luck, ms)
  }

  killOperator(luck: number): void {
    this.#machines.killOperator(luck)
  }

  killReader(luck: number): void {
    this.#machines.killReader(luck)
  }

  changeLeader(luck: number, both: boolean): void {
    this.#machines.changeLeader(luck, both)
  }

  silence(luck: number): void {
    this.#machines.silence(luck)
  }

  #delete(reference: ObjectReference): void {
    this.#server.delete(reference)
  }
}

function clientNamed(name: string) {
  return { apiVersion: KINDS, kind: 'ShowroomClient', metadata: { name, namespace: NAMESPACE } }
}

/** A refusal of the server is an answer like another; anything else is a fault of the simulation. */
export function unlessRefused(edit: () => void): void {
  try {
    edit()
  } catch (error) {
    if (!(error instanceof KubeApiError) && !isConflict(error) && !isNotFound(error)) throw error
  }
}
