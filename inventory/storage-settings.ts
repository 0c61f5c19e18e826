import { integer } from '#runtime/configuration.ts'
import type { StorageSettings } from './storage.ts'

/** The environment of the storage, the same for every program that uses it. */
export const storageVariables = {
  natsReplicas: integer({ env: 'NATS_REPLICAS', default: 1, min: 1, max: 5 }),
  natsStoreMegabytes: integer({ env: 'NATS_STORE_MEGABYTES', default: 4096, min: 64 }),
}

/** What was read of `storageVariables`. */
export interface StorageConfiguration {
  natsReplicas: number
  /** Of 1,024 × 1,024 bytes. */
  natsStoreMegabytes: number
}

export function storageSettings({ natsReplicas, natsStoreMegabytes }: StorageConfiguration): StorageSettings {
  return { replicas: natsReplicas, bytes: natsStoreMegabytes * 1024 * 1024 }
}
