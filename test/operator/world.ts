import { join } from 'node:path'
import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { decodeClients, decodeRates } from '#rates/published/decode.ts'
import { pageNamesIn, parseClientsIndex, parseRatesIndex } from '#rates/published/parse-index.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { CLIENTS_INDEX, RATES_INDEX } from '#rates/published/format.ts'
import { applyObject, deleteObject, getObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { replaceStatus } from '#runtime/kube/replace-status.ts'
import { listAll } from '#runtime/kube/list.ts'
import type { RateSetStatus } from '../../operator/rate-set/object.ts'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { startChild, type Child } from '../../tools/stack/child.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { freePort } from '../harness/free-port.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { applySurroundings } from './manifests.ts'

const root = join(import.meta.dirname, '../..')
const namespace = 'driveaway'
export const SECRETS = 'driveaway-clients'
const API_VERSION = 'rates.driveaway.dev/v1alpha1'

export type Conditioned = KubernetesObject & { status?: RateSetStatus; spec: object }

export interface RunningOperator {
  child: Child
  healthUrl: string
  logFile: string
}

/** A real control plane with the kinds and the operator's rights, and operators as real processes on it. */
export async function startWorld() {
  const controlPlane = await startControlPlane()
  const folder = temporaryDirectory('operator')
  await applySurroundings(controlPlane.kubeConfig)
  return new World(controlPlane, folder)
}

export class World {
  readonly controlPlane: ControlPlane
  readonly #folder: { path: string; remove(): void }
  readonly #operators = new Set<Child>()

  constructor(controlPlane: ControlPlane, folder: { path: string; remove(): void }) {
    this.controlPlane = controlPlane
    this.#folder = folder
  }

  async startOperator(env: Record<string, string> = {}): Promise<RunningOperator> {
    const port = await freePort()
    const logFile = join(this.#folder.path, `operator-${port}.log`)
    const child = await startChild({
      ...{ name: 'operator', command: process.execPath, args: [join(root, 'operator/main.ts')], cwd: root, logFile },
      env: { ...process.env, ...this.#env(), HEALTH_PORT: String(port), ...env },
    })
    this.#operators.add(child)
    return { child, healthUrl: `http://127.0.0.1:${port}`, logFile }
  }

  #env(): Record<string, string> {
    return {
      KUBECONFIG: this.controlPlane.kubeconfigFor('driveaway-operator'),
      NAMESPACE: namespace,
      CLIENT_SECRETS_NAMESPACE: SECRETS,
      ISSUER: 'https://driveaway.example/',
      // A killed operator's lease must run out soon: these tests kill many.
      LEASE_SECONDS: '1.5',
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#operators].map((child) => child.stop()))
    await this.controlPlane.stop()
    this.#folder.remove()
  }

  async applySet(spec: RateSetSpec): Promise<void> {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    await this.#apply({ apiVersion: API_VERSION, kind: 'RateSet', metadata: { name, namespace }, spec })
  }

  async applyClient(name: string, spec: ShowroomClientSpec): Promise<void> {
    await this.#apply({ apiVersion: API_VERSION, kind: 'ShowroomClient', metadata: { name, namespace }, spec })
  }

  async #apply(object: KubernetesObject & { spec: object }): Promise<void> {
    await applyObject(this.controlPlane.kubeConfig, object, { fieldManager: 'test', force: true })
  }

  /** Sets how many Secrets of clients may be, or takes that limit away. No controller counts them here: all count as used. */
  async limitSecrets(hard: number | undefined): Promise<void> {
    const metadata = { name: 'secrets', namespace: SECRETS }
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata }
    if (hard === undefined) return void (await deleteObject(this.controlPlane.kubeConfig, quota))
    const limits = { 'count/secrets': String(hard) }
    await applyObject(this.controlPlane.kubeConfig, { ...quota, spec: { hard: limits } } as never, {
      fieldManager: 'test',
    })
    await replaceStatus(
      this.controlPlane.kubeConfig,
      {
        ...(await getObject<KubernetesObject>(this.controlPlane.kubeConfig, quota)),
        status: { hard: limits, used: limits },
      } as never,
      'test',
    )
  }

  read<T extends KubernetesObject = Conditioned>(kind: string, name: string): Promise<T | undefined> {
    const apiVersion = kind === 'ConfigMap' || kind === 'Secret' ? 'v1' : API_VERSION
    const place = kind === 'Secret' && name !== 'driveaway-signing-keys' ? SECRETS : namespace
    return getObject<T>(this.controlPlane.kubeConfig, { apiVersion, kind, metadata: { name, namespace: place } })
  }

  remove(kind: string, name: string): Promise<boolean> {
    const apiVersion = kind === 'ConfigMap' ? 'v1' : API_VERSION
    return deleteObject(this.controlPlane.kubeConfig, { apiVersion, kind, metadata: { name, namespace } })
  }

  /** Waits until the object's present generation has this condition, and returns the condition. */
  until(kind: string, name: string, [type, status, reason]: [type: string, status: string, reason?: string]) {
    return waitFor(
      `${name} to be ${type}=${status} ${reason ?? ''}`,
      async () => {
        const object = await this.read(kind, name)
        const { observedGeneration, conditions } = object?.status ?? { conditions: [] }
        if (observedGeneration !== object?.metadata?.generation) throw new Error('not seen yet')
        const found = conditions.find((each) => each.type === type && each.status === status)
        if (found && found.reason === (reason ?? found.reason)) return found
        throw new Error(JSON.stringify(object?.status))
      },
      { timeoutMs: 20_000 },
    )
  }

  /** The published rate sets, read as an API process reads them: every digest verified. */
  async published() {
    const text = await this.#indexText(RATES_INDEX)
    const index = parseRatesIndex(text, await this.#pages(text))
    const sets = decodeRates(index, await this.#shards(index.sets.flatMap((set) => set.shards)))
    return { index, sets: new Map(sets.map((set) => [set.entry.name, set])) }
  }

  async publishedClients() {
    const text = await this.#indexText(CLIENTS_INDEX)
    const index = parseClientsIndex(text, await this.#pages(text))
    return { index, clients: decodeClients(index, await this.#shards(index.shards)) }
  }

  /** What the one rule of a published invented set charges. */
  async fee(name: string): Promise<string | undefined> {
    const spec = (await this.published()).sets.get(name)?.spec
    return spec?.parameters?.[0]?.values[0]?.value ?? spec?.rules[0]?.cases[0]?.charge?.flat
  }

  async list<T extends KubernetesObject>(path: string): Promise<T[]> {
    return (await listAll<T>(kubeOf(this.controlPlane.kubeConfig), { path })).items
  }

  #pages(indexText: string): Promise<Map<string, string>> {
    return this.#shards(pageNamesIn(indexText).map((name) => ({ name })))
  }

  async #indexText(name: string): Promise<string> {
    const text = (await this.read<V1ConfigMap>('ConfigMap', name))?.data?.['index.json']
    if (text === undefined) throw new Error(`${name} is not there`)
    return text
  }

  async #shards(references: { name: string }[]): Promise<Map<string, string>> {
    const found = await Promise.all(references.map(({ name }) => this.read<V1ConfigMap>('ConfigMap', name)))
    return new Map(
      found.flatMap((shard) => (shard ? [[shard.metadata?.name ?? '', shard.data?.['shard.json'] ?? '']] : [])),
    )
  }
}
