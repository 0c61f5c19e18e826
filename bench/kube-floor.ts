import type { KubeConfig } from '@kubernetes/client-node'
import { inParallel } from '#runtime/in-parallel.ts'
import { openKube, requestKube } from '#runtime/kube/request.ts'

const SAMPLES = 2_000
/** As many parallel writes as the operator makes. */
const AT_ONCE = 12
const SECRETS = '/api/v1/namespaces/driveaway-clients/secrets'
const CLIENTS = '/apis/rates.driveaway.dev/v1alpha1/namespaces/floor/showroomclients'

interface Client {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string }
}

/**
 * Seconds that a bare loop needs to write the least for one client, a Secret and a status, on this server: for its own
 * objects, in a namespace that nobody watches.
 */
export async function secondsForOneClient(kubeConfig: KubeConfig): Promise<number> {
  const metadata = { name: 'floor' }
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata }
  await requestKube(kubeConfig, { method: 'POST', path: '/api/v1/namespaces', body })
  const clients = await createClients(kubeConfig)
  const start = performance.now()
  await inParallel(AT_ONCE, clients, async ({ metadata: { name } }) => {
    await requestKube(kubeConfig, { method: 'POST', path: SECRETS, body: secret(name) })
  })
  await inParallel(AT_ONCE, clients, async (client) => {
    const path = `${CLIENTS}/${client.metadata.name}/status`
    await requestKube(kubeConfig, { method: 'PUT', path, body: { ...client, status } })
  })
  return (performance.now() - start) / 1000 / SAMPLES
}

/** Number of writes that the server has answered for all clients, and its total processor time. */
export async function serverSoFar(kubeConfig: KubeConfig): Promise<{ writes: number; cpuSeconds: number }> {
  const text = await (await openKube(kubeConfig, { path: '/metrics' })).body.text()
  const counts = text.matchAll(/^apiserver_request_total\{.*verb="(?:POST|PUT|PATCH|APPLY|DELETE)".*\} (\S+)$/gm)
  const writes = [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  return { writes, cpuSeconds: Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? 0) }
}

async function createClients(kubeConfig: KubeConfig): Promise<Client[]> {
  const clients: Client[] = []
  const names = Array.from({ length: SAMPLES }, (_, index) => `floor-${index}`)
  await inParallel(AT_ONCE, names, async (name) => {
    const { apiVersion, kind, metadata } = await requestKube<Client>(kubeConfig, {
      method: 'POST',
      path: CLIENTS,
      timeoutMs: 120_000,
      body: client(name),
    })
    const { uid, resourceVersion, namespace } = metadata
    clients.push({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } })
  })
  return clients
}

function client(name: string): object {
  const spec = { displayName: name, showroomCodes: ['MEL01'], grants: [], credentials: [{ secretRef: { name } }] }
  return { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient', metadata: { name }, spec }
}

function secret(name: string): object {
  // Another type than the operator reads.
  const data = { clientSecret: Buffer.from('x'.repeat(43)).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'example.com/floor', data }
}

const status = {
  observedGeneration: 1,
  conditions: ['Ready', 'Published', 'Loaded'].map((type) => ({
    type,
    status: 'True',
    reason: 'Published',
    message: 'published',
    observedGeneration: 1,
    lastTransitionTime: '2026-11-21T00:00:00Z',
  })),
}
