import { integer } from '#runtime/configuration.ts'
import type { InventorySettings } from './storage.ts'

/** The environment variables of the storage, the same for every program that uses it. */
export const storageVariables = {
  natsReplicas: integer({ env: 'NATS_REPLICAS', default: 1, min: 1, max: 5 }),
  natsStoreMegabytes: integer({ env: 'NATS_STORE_MEGABYTES', default: 4096, min: 64 }),
  vehiclesKeptDays: integer({ env: 'VEHICLES_KEPT_DAYS', default: 0, min: 0, max: 3_650 }),
}

/** The values of `storageVariables`. */
export interface StorageConfiguration {
  natsReplicas: number
  /** Megabytes of 1,024 × 1,024 bytes. */
  natsStoreMegabytes: number
  /** Days for which a vehicle is kept after its last upload; 0: for ever. */
  vehiclesKeptDays: number
}

export function storageSettings(configuration: StorageConfiguration): InventorySettings {
  const { natsReplicas: replicas, natsStoreMegabytes, vehiclesKeptDays } = configuration
  return { replicas, bytes: natsStoreMegabytes * 1024 * 1024, vehiclesKeptDays }
}
