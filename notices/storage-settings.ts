import { integer, seconds } from '#runtime/configuration.ts'
import type { StorageSettings } from '#runtime/nats/declare.ts'

/** The environment variables of the notices' storage, the same for the operator and the worker. */
export const noticeStorageVariables = {
  natsReplicas: integer({ env: 'NATS_REPLICAS', default: 1, min: 1, max: 5 }),
  noticesStoreMegabytes: integer({ env: 'NOTICES_STORE_MEGABYTES', default: 256, min: 16 }),
}

/** Seconds that a release must last before it is announced, and between two mails to one client. */
export const settleSeconds = seconds({ env: 'NOTICES_SETTLE_SECONDS', default: 600, max: 86_400 })

/** The values of `noticeStorageVariables`. */
export interface NoticeStorageConfiguration {
  natsReplicas: number
  /** Megabytes of 1,024 × 1,024 bytes, in addition to those of inventory. */
  noticesStoreMegabytes: number
}

export function noticeStorageSettings(configuration: NoticeStorageConfiguration): StorageSettings {
  return { replicas: configuration.natsReplicas, bytes: configuration.noticesStoreMegabytes * 1024 * 1024 }
}
