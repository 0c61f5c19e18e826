import type { InventoryStore } from '#inventory/store.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'
import type { Operation } from '../http/operation.ts'
import type { ExaminedBatch } from './examine-batch.ts'
import type { Examiner } from './examiner.ts'
import type { JobReads } from './job-reads.ts'

/** What an upload depends on. The store is looked up before the body is read, so that no body is read in vain. */
export interface UploadDependencies {
  client: ClientBinding
  examiner: Examiner
  store: InventoryStore
  log: Logger
}

/** What a poll depends on. */
export interface PollDependencies {
  /** Throws `not_ready` while there is no store; called only for a valid job id. */
  store: () => InventoryStore
  reads: JobReads
}

export type UploadOperation = Operation<UploadDependencies, ExaminedBatch>
export type PollOperation = Operation<PollDependencies>
