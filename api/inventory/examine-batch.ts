import type { Batch } from '#inventory/batch.ts'
import { withoutSpace } from '#inventory/exact-json.ts'
import { hashOf } from '#inventory/idempotency.ts'
import { jobBytes, type JobBytes } from '#inventory/job-bytes.ts'
import { textOf } from '../http/body-reader.ts'
import type { ContractOperation } from '../http/contract.ts'
import type { HeadParts } from '../http/operation.ts'
import { parseJson } from '../http/parse-json.ts'
import { fieldFault } from '../http/schema-faults.ts'
import { batchFault, DEEPEST } from './batch-faults.ts'
import { countText } from './text-bounds.ts'

/** The result of checking a batch, without its values. */
export interface CheckedBatch {
  sourceName: string
  /** `vehicle.source_id` of each item. */
  sourceIds: readonly string[]
  moderateImages: boolean
  jobBytes: JobBytes
  /** Recognizes a repeated upload; only when the request has an idempotency key. */
  hash?: string
}

/** A checked batch with its bytes, which are stored as they were received. */
export interface ExaminedBatch extends CheckedBatch {
  bytes: Uint8Array
}

/** An upload as it was received. */
export interface Received {
  /** Undefined when the request has no body. */
  bytes: Buffer | undefined
  parts: HeadParts
}

/**
 * Most values in a batch: a hundred vehicles with every field of the contract and a hundred pictures each have half as
 * many.
 */
const MOST_VALUES = 100_000

/** Parses and checks a batch; throws `bad_request`. */
export function examineBatch(contract: ContractOperation, { bytes, parts }: Received): CheckedBatch {
  // Checked before parsing: the cost of a body depends on its values more than on its bytes.
  const found = bytes && countText(bytes, { values: MOST_VALUES, levels: DEEPEST })
  if (found?.fault !== undefined) {
    throw fieldFault([{ path: '/body', message: found.fault, errorCode: 'keep.openapi.validation' }])
  }
  const text = bytes && textOf(bytes)
  const requestBody = text === undefined ? undefined : parseJson(text, found?.names)
  const refusal = batchFault(contract, { ...parts, requestBody })
  if (refusal) throw refusal
  const { source_name: sourceName, items, moderate_images: moderateImages } = requestBody as Batch
  const hasKey = Boolean((parts.header as Record<string, unknown>)['idempotency-key'])
  return {
    sourceName,
    sourceIds: items.map(({ vehicle }) => vehicle.source_id),
    moderateImages: moderateImages !== false,
    jobBytes: jobBytes(requestBody as Batch),
    ...(hasKey && { hash: hashOf(withoutSpace(text ?? '')) }),
  }
}
