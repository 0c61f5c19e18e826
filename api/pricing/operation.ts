import type { ClientBinding } from '#rates/published/format.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { ReportOf } from './reports/reports.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

/** A grant that an operation asks of its caller. */
export type Grant = 'pricing:quote'

/** One checked call: the caller, what it sent, and the one snapshot that answers it from start to end. */
export interface Call<Body = unknown> {
  client: ClientBinding
  snapshot: Snapshot
  body: Body
  query: Readonly<Record<string, string | undefined>>
  countUnpriced: CountUnpriced
  reportOf: ReportOf
}

/** An answer with the key of its content, for operations whose answers may be cached. */
export interface Answer {
  body: unknown
  /** What the answer depends on beyond its address; becomes the ETag. */
  version?: string
}

/** One operation of the contract; it returns an answer or throws ApiError. */
export interface Operation {
  operationId: string
  grant: Grant
  /** Bytes that its body may have. */
  bodyLimit: number
  handle(call: Call): Answer | Promise<Answer>
}
