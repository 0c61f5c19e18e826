import type { V1ConfigMap } from '@kubernetes/client-node'
import type { PublishedConfigMap } from '#rates/published/config-map.ts'
import { FIELD_MANAGER, type Cluster } from './cluster.ts'

/** The version of an object that a write replaces. */
export interface StoredVersion {
  uid: string
  resourceVersion: string
  isImmutable?: boolean
}

/** Reads one ConfigMap from the server. */
export function readConfigMap({ kube, namespace }: Cluster, name: string): Promise<V1ConfigMap | undefined> {
  return kube.get<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
}

export function versionOf(object: V1ConfigMap | undefined): StoredVersion | undefined {
  const { uid = '', resourceVersion = '' } = object?.metadata ?? {}
  return object && { uid, resourceVersion, ...(object.immutable === true && { isImmutable: true }) }
}

export function createConfigMap({ kube }: Cluster, object: PublishedConfigMap): Promise<V1ConfigMap> {
  return kube.create<V1ConfigMap>(object, { fieldManager: FIELD_MANAGER })
}

/** Replaces exactly the version of a ConfigMap that was read, or creates the ConfigMap when there was none. */
export async function overwrite(
  cluster: Cluster,
  desired: PublishedConfigMap,
  stored: StoredVersion | undefined,
): Promise<V1ConfigMap> {
  if (!stored) return createConfigMap(cluster, desired)
  const options = { fieldManager: FIELD_MANAGER, force: true }
  const { isImmutable, ...version } = stored
  if (!isImmutable) return cluster.kube.apply({ ...desired, metadata: { ...desired.metadata, ...version } }, options)
  // Somebody made the ConfigMap immutable, so it is deleted and created again; readers continue with what they have
  // loaded.
  await cluster.kube.delete(desired, version)
  return createConfigMap(cluster, desired)
}
