import { parentPort } from 'node:worker_threads'
import { ApiError, type ErrorCode, type FieldError } from '../errors.ts'
import { readContract } from '../http/contract.ts'
import type { HeadParts } from '../http/operation.ts'
import { examineBatch, type CheckedBatch } from './examine-batch.ts'

// Entry point of the thread of examiner.ts, which examines one batch after another.

/** A batch for the thread. Its bytes are transferred, and return with the answer. */
export interface ToThread {
  bytes: Uint8Array<ArrayBuffer>
  parts: HeadParts
}

export type FromThread =
  | { isReady: true }
  | { bytes: Uint8Array<ArrayBuffer>; checked: CheckedBatch }
  | { refusal: { code: ErrorCode; message: string; errors?: readonly FieldError[] | undefined } }
  | { failure: string }

const contract = await readContract(new URL('openapi.yaml', import.meta.url), { firstFaultOnly: true })
const operation = contract.operations.find(({ operationId }) => operationId === 'createBatch')!

function examined({ bytes, parts }: ToThread): FromThread {
  try {
    return { bytes, checked: examineBatch(operation, { bytes: Buffer.from(bytes.buffer), parts }) }
  } catch (error) {
    if (!(error instanceof ApiError))
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    const { code, message, errors } = error
    return { refusal: { code, message, errors } }
  }
}

parentPort?.on('message', (told: ToThread) => {
  const answer = examined(told)
  parentPort?.postMessage(answer, 'bytes' in answer ? [answer.bytes.buffer] : [])
})
parentPort?.postMessage({ isReady: true } satisfies FromThread)
