import type { V1ConfigMap } from '@kubernetes/client-node'
import type { PublishedConfigMap } from '#rates/published/config-map.ts'
import { FIELD_MANAGER, type Cluster } from './cluster.ts'

/** What a write needs to know of the object that it replaces. */
export interface StoredVersion {
  uid: string
  resourceVersion: string
  isImmutable?: boolean
}

/** One ConfigMap as it is stored now. */
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

/** Writes a ConfigMap over exactly the version that was read, or makes it where there was none. */
export async function overwrite(
  cluster: Cluster,
  desired: PublishedConfigMap,
  stored: StoredVersion | undefined,
): Promise<V1ConfigMap> {
  if (!stored) return createConfigMap(cluster, desired)
  const options = { fieldManager: FIELD_MANAGER, force: true }
  const { isImmutable, ...version } = stored
  if (!isImmutable) return cluster.kube.apply({ ...desired, metadata: { ...desired.metadata, ...version } }, options)
  // Somebody made the ConfigMap immutable: what cannot be written over is replaced, and readers serve on meanwhile.
  await cluster.kube.delete(desired, version)
  return createConfigMap(cluster, desired)
}
