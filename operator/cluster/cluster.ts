import type { Kube } from '#runtime/kube/kube.ts'

/** The cluster and the namespace of the operator. */
export interface Cluster {
  kube: Kube
  namespace: string
}

/** The API server records the operator's fields under this name. */
export const FIELD_MANAGER = 'driveaway-operator'

/** For requests that tidy up in a publication run: the next publication waits for them, and the next run tries again. */
export const TIDY_MS = 5000

/** API version of RateSet and ShowroomClient. */
export const API_VERSION = 'rates.driveaway.dev/v1alpha1'

/** Metadata of a custom resource; the API server always sets these fields. */
export interface ObjectMeta {
  name: string
  namespace: string
  uid: string
  generation: number
  resourceVersion: string
  annotations?: Record<string, string>
  /** ISO text, though client-node's types say Date. */
  creationTimestamp?: Date
  /** Set once the object was deleted, as long as a finalizer keeps it. */
  deletionTimestamp?: Date
}
