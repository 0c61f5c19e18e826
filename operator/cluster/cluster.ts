import type { Kube } from '#runtime/kube/kube.ts'

/** Where the operator works. */
export interface Cluster {
  kube: Kube
  namespace: string
}

/** Under this name the API server records which fields the operator wrote. */
export const FIELD_MANAGER = 'driveaway-operator'

/** Of RateSet and ShowroomClient. */
export const API_VERSION = 'rates.driveaway.dev/v1alpha1'

/** Metadata of a custom resource as the API server always fills it in. */
export interface ObjectMeta {
  name: string
  namespace: string
  uid: string
  generation: number
  resourceVersion: string
  annotations?: Record<string, string>
  /** ISO text, though client-node's types say Date. */
  creationTimestamp?: Date
  /** Set once somebody deleted the object, for as long as a finalizer keeps it. */
  deletionTimestamp?: Date
}
