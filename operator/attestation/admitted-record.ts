import type { V1ConfigMap } from '@kubernetes/client-node'
import { ADMITTED_RECORD } from '#rates/published/format.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { overwrite, readConfigMap, versionOf, type StoredVersion } from '../cluster/config-map.ts'
import type { Admitted } from './admitted.ts'

const KEY = 'admitted.json'

/** The record as stored, with the version that a write needs so as not to undo another operator's write. */
export interface StoredRecord {
  admitted: Admitted
  stored: StoredVersion | undefined
}

/**
 * Reads the stored record rather than a cache, because a rollback may directly follow the publication that it undoes.
 */
export async function readAdmitted(cluster: Cluster): Promise<StoredRecord> {
  const object = await readConfigMap(cluster, ADMITTED_RECORD)
  return { admitted: parsed(object), stored: versionOf(object) }
}

/** Writes the record over the version that was read; throws KubeApiError 409 when another operator was faster. */
export async function writeAdmitted(cluster: Cluster, record: StoredRecord, sets: Admitted): Promise<void> {
  const metadata = { name: ADMITTED_RECORD, namespace: cluster.namespace, labels: {} }
  const data = { [KEY]: JSON.stringify({ sets }) }
  await overwrite(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, record.stored)
}

function parsed(object: V1ConfigMap | undefined): Admitted {
  try {
    const { sets } = JSON.parse(object?.data?.[KEY] ?? '{}') as { sets?: Admitted }
    return Object.fromEntries(Object.entries(sets ?? {}).filter(([, list]) => Array.isArray(list)))
  } catch {
    // A damaged record admits nothing; what is in force stays admitted through the index.
    return {}
  }
}
