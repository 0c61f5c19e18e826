import type { V1ConfigMap } from '@kubernetes/client-node'
import { FIELD_MANAGER } from '../publish/apply.ts'
import { readConfigMap, type Cluster } from '../publish/gather.ts'
import type { Admitted } from './admitted.ts'

/** The ConfigMap that remembers, beside the index, what was admitted. */
export const ADMITTED_RECORD = 'driveaway-admitted'
const KEY = 'admitted.json'

/** The record as it is stored, with what a write needs that must not undo another operator's. */
export interface StoredRecord {
  admitted: Admitted
  stored: { uid: string; resourceVersion: string } | undefined
}

/** Reads the record itself and not a cache: a rollback may follow at once on what it undoes. */
export async function readAdmitted(cluster: Cluster): Promise<StoredRecord> {
  const object = await readConfigMap(cluster, ADMITTED_RECORD)
  const { uid = '', resourceVersion = '' } = object?.metadata ?? {}
  return { admitted: parsed(object), stored: object && { uid, resourceVersion } }
}

/** Writes the record over the version that was read; throws KubeApiError 409 when another operator was faster. */
export async function writeAdmitted(cluster: Cluster, record: StoredRecord, sets: Admitted): Promise<void> {
  const { kube, namespace } = cluster
  const metadata = { name: ADMITTED_RECORD, namespace, ...record.stored }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [KEY]: JSON.stringify({ sets }) } }
  if (record.stored) return void (await kube.apply(body, { fieldManager: FIELD_MANAGER, force: true }))
  await kube.create(body, { fieldManager: FIELD_MANAGER })
}

function parsed(object: V1ConfigMap | undefined): Admitted {
  try {
    const { sets } = JSON.parse(object?.data?.[KEY] ?? '{}') as { sets?: Admitted }
    return Object.fromEntries(Object.entries(sets ?? {}).filter(([, list]) => Array.isArray(list)))
  } catch {
    // A record that somebody broke admits nothing; what is in force stays admitted by the index.
    return {}
  }
}
