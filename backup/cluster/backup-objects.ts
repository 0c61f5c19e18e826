import type { KubernetesObject } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import { ADMITTED_RECORD, SIGNING_KEYS_SECRET } from '#rates/published/format.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'

/** The namespaces of one Helm release. */
export interface Namespaces {
  /** The namespace of the rate sets and the clients. */
  release: string
  /** The namespace of the clients' Secrets. */
  clients: string
}

/** An object as a backup keeps it: without its namespace and without the fields that the server adds. */
export interface KeptObject {
  place: keyof Namespaces
  object: Restorable
}

export interface Restorable {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> | undefined; annotations: Record<string, string> }
  /** Type of a Secret, which never changes. */
  type?: string | undefined
  data?: Record<string, string> | undefined
  spec?: object | undefined
}

/** Objects, besides those of the clients, that nobody can recreate. */
export const NAMED: readonly { kind: 'Secret' | 'ConfigMap'; name: string }[] = [
  { kind: 'Secret', name: SIGNING_KEYS_SECRET },
  { kind: 'ConfigMap', name: PUBLIC_KEYS },
  { kind: 'ConfigMap', name: ADMITTED_RECORD },
]

/** kubectl's copy of the last applied object would repeat a Secret in clear text. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

type Stored = KubernetesObject & Pick<Restorable, 'type' | 'data' | 'spec'>

/** An object without its namespace and the server's metadata. A ShowroomClient keeps its uid as its identity. */
export function keptOf(stored: KubernetesObject, place: keyof Namespaces): KeptObject {
  const { apiVersion = '', kind = '', type, data, spec } = stored as Stored
  const object: Restorable = { apiVersion, kind, metadata: metadataOf(stored), type, data, spec }
  // Drops undefined fields, so that the object equals the one that is read back.
  return { place, object: JSON.parse(JSON.stringify(object)) as Restorable }
}

function metadataOf({ kind, metadata }: KubernetesObject): Restorable['metadata'] {
  const annotations = { ...metadata?.annotations }
  delete annotations[LAST_APPLIED]
  if (kind === 'ShowroomClient' && metadata?.uid) annotations[IDENTITY_ANNOTATION] ??= metadata.uid
  return { name: metadata?.name ?? '', labels: metadata?.labels, annotations }
}

/** `Secret driveaway-clients/northside`. */
export const nameOf = ({ place, object }: KeptObject, places: Namespaces): string =>
  `${object.kind} ${places[place]}/${object.metadata.name}`
