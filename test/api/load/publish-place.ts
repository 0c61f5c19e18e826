import type { KubeConfig } from '@kubernetes/client-node'
import { indexConfigMap, shardConfigMap, type PublishedConfigMap } from '#rates/published/config-map.ts'
import { encodeClients, encodeClientsIndex } from '#rates/published/encode-clients.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startControlPlane } from '../../harness/control-plane.ts'
import { publishedVictoria } from '../victorian-rates.ts'

export const CONFIG_MAPS = '/api/v1/namespaces/driveaway/configmaps'

export type PublishPlace = Awaited<ReturnType<typeof startPublishPlace>>

/** A real kube-apiserver with a namespace, to which tests publish as the operator does. */
export async function startPublishPlace() {
  const cluster = await startControlPlane()
  return { cluster, ...(await publishPlace(cluster.kubeConfig)) }
}

async function publishPlace(kubeConfig: KubeConfig) {
  const kube = (method: 'POST' | 'PUT' | 'DELETE' | 'GET', path: string, body?: unknown) =>
    requestKube<{ metadata: { resourceVersion: string } }>(kubeConfig, {
      method,
      path,
      ...(body === undefined ? {} : { body }),
    })

  /** Makes a ConfigMap or puts this one in its place. */
  async function put(object: PublishedConfigMap): Promise<void> {
    const path = `${CONFIG_MAPS}/${object.metadata.name}`
    const exists = await kube('GET', path).then(
      () => true,
      () => false,
    )
    if (exists && object.immutable) return
    await (exists ? kube('PUT', path, object) : kube('POST', CONFIG_MAPS, object))
  }

  async function publish(rate: string, sequence: number, options: { without?: number } = {}): Promise<string> {
    const sets = publishedVictoria(rate)
    const shards = sets.flatMap((set) => set.shards)
    for (const [index, shard] of shards.entries()) {
      if (index !== options.without) await put(shardConfigMap('driveaway', shard))
    }
    const index = encodeRatesIndex(
      sets.map((set) => set.entry),
      sequence,
    )
    await put(indexConfigMap('driveaway', index))
    return index.release
  }

  async function publishClients(bindings: ClientBinding[], sequence: number): Promise<void> {
    const { shards } = encodeClients(bindings)
    for (const shard of shards) await put(shardConfigMap('driveaway', shard))
    await put(indexConfigMap('driveaway', encodeClientsIndex(shards, sequence)))
  }

  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'driveaway' } }
  await kube('POST', '/api/v1/namespaces', namespace)
  return { kube, put, publish, publishClients }
}
