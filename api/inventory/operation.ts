import type { InventoryStore } from '#inventory/store.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'
import type { Operation } from '../http/operation.ts'
import type { ExaminedBatch } from './examine-batch.ts'
import type { Examiner } from './examiner.ts'

/** What an upload depends on: the store as it was before the body was read, so that nothing is read in vain. */
export interface UploadDependencies {
  client: ClientBinding
  examiner: Examiner
  store: InventoryStore
  log: Logger
}

/** What a poll depends on. */
export interface PollDependencies {
  /** Throws `not_ready` while there is no store: asked only for what may be the name of a job. */
  store: () => InventoryStore
}

export type UploadOperation = Operation<UploadDependencies, ExaminedBatch>
export type PollOperation = Operation<PollDependencies>
