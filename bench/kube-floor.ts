import type { KubeConfig } from '@kubernetes/client-node'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { openKube, requestKube } from '#runtime/kube/request.ts'
import { API_VERSION, FIELD_MANAGER } from '../operator/cluster/cluster.ts'
import { clientName, clientOf, eventOf, secretOf, setOf, shardOf, statusOf, type Stored } from './bare-objects.ts'

/** As many parallel writes as the operator makes. */
const AT_ONCE = 12

/** Who writes: the operator's user, because the server does more for a user with rules than for an administrator. */
export interface BareServer {
  admin: KubeConfig
  operator: KubeConfig
}

/** The objects for which a bare loop writes the least. */
export interface Bare {
  /** A namespace of its own, which nobody watches. */
  namespace: string
  clients: number
  sets: readonly RateSetSpec[]
}

/**
 * Seconds in which a bare loop writes the least for these objects on this server: for each client a Secret and a status, for
 * each set a ConfigMap with its spec, a status and an event.
 */
export async function bareSeconds(server: BareServer, { namespace, clients, sets }: Bare): Promise<number> {
  const owner = new Floor(server.admin, namespace)
  await owner.open()
  const names = Array.from({ length: clients }, (_, index) => clientName(index))
  const ofClients = await owner.create('ShowroomClient', names.map(clientOf))
  const ofSets = await owner.create('RateSet', sets.map(setOf))
  const floor = new Floor(server.operator, namespace, FIELD_MANAGER)
  const start = performance.now()
  await floor.each(ofClients, ({ metadata }) => floor.post('/api/v1', secretOf(metadata.name)))
  await floor.each(ofClients, (each) => floor.putStatus(each))
  await floor.each(sets, (spec) => floor.post('/api/v1', shardOf(spec)))
  await floor.each(ofSets, (each) => floor.putStatus(each))
  await floor.each(ofSets, (each) => floor.post('/apis/events.k8s.io/v1', eventOf(each)))
  return (performance.now() - start) / 1000
}

/** Number of writes that the server has answered for all clients, and its total processor time. */
export async function serverSoFar(kubeConfig: KubeConfig): Promise<{ writes: number; cpuSeconds: number }> {
  const text = await (await openKube(kubeConfig, { path: '/metrics' })).body.text()
  const counts = text.matchAll(/^apiserver_request_total\{.*verb="(?:POST|PUT|PATCH|APPLY|DELETE)".*\} (\S+)$/gm)
  const writes = [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  return { writes, cpuSeconds: Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? 0) }
}

/** The requests of the bare loop, in one namespace; the server keeps the manager as the owner of each field. */
class Floor {
  readonly #kubeConfig: KubeConfig
  readonly #namespace: string
  readonly #query: { fieldManager: string | undefined }

  constructor(kubeConfig: KubeConfig, namespace: string, fieldManager?: string) {
    this.#kubeConfig = kubeConfig
    this.#namespace = namespace
    this.#query = { fieldManager }
  }

  /** Creates the namespace and gives the operator's user its rights there. */
  async open(): Promise<void> {
    const name = this.#namespace
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await requestKube(this.#kubeConfig, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    const metadata = { name: 'floor' }
    await this.post(`/apis/${apiVersion}`, { apiVersion, kind: 'Role', metadata, rules: RULES })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'floor' }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'driveaway-operator' }]
    await this.post(`/apis/${apiVersion}`, { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects })
  }

  each<Each>(all: readonly Each[], write: (each: Each) => Promise<unknown>): Promise<void> {
    return inParallel(AT_ONCE, all, async (each) => void (await write(each)))
  }

  /** Creates custom resources before the time is taken, and returns what a write of their status needs. */
  async create(kind: string, bodies: readonly object[]): Promise<Stored[]> {
    const created: Stored[] = []
    await this.each(bodies, async (body) => {
      const stored = await this.post<Stored>(`/apis/${API_VERSION}`, { apiVersion: API_VERSION, kind, ...body })
      const { name, namespace, uid, resourceVersion } = stored.metadata
      created.push({ apiVersion: API_VERSION, kind, metadata: { name, namespace, uid, resourceVersion } })
    })
    return created
  }

  post<Body>(api: string, body: { kind: string } & Readonly<Record<string, unknown>>): Promise<Body> {
    const path = `${api}/namespaces/${this.#namespace}/${body.kind.toLowerCase()}s`
    return requestKube<Body>(this.#kubeConfig, { method: 'POST', path, query: this.#query, body, timeoutMs: 120_000 })
  }

  putStatus(object: Stored): Promise<unknown> {
    const { kind, metadata } = object
    const path = `/apis/${API_VERSION}/namespaces/${this.#namespace}/${kind.toLowerCase()}s/${metadata.name}/status`
    const body = { ...object, status: statusOf(kind) }
    return requestKube(this.#kubeConfig, { method: 'PUT', path, query: this.#query, body })
  }
}

const RULES = [
  { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['create'] },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
  { apiGroups: ['rates.driveaway.dev'], resources: ['ratesets/status', 'showroomclients/status'], verbs: ['update'] },
]
