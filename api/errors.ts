import type { FieldError } from '#rates/answers/refusal.ts'

export type { FieldError }

/** Every error code of the APIs with its status. Clients act on the code, so the list is closed. */
export const STATUS_OF_CODE = {
  bad_request: 400,
  INVALID_SHOWROOM_CODE: 400,
  INVALID_PRICING_CODE: 400,
  UNSUPPORTED_FINANCIAL_YEAR: 400,
  UNSUPPORTED_REGISTRATION_DATE: 400,
  UNSUPPORTED_REGISTRATION_TYPE: 400,
  UNSUPPORTED_REGISTRATION_TERM: 400,
  INVALID_VEHICLE_INPUT: 400,
  INVALID_CONCESSION: 400,
  INVALID_TARGET: 400,
  INCOMPLETE_QUOTE: 400,
  RECEIPT_NOT_AVAILABLE: 400,
  UNKNOWN_RELEASE: 400,
  TARGET_NOT_ACHIEVABLE: 422,
  'not-authenticated': 401,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  USER_INACTIVE: 403,
  SHOWROOM_ACCESS_DENIED: 403,
  not_found: 404,
  method_not_allowed: 405,
  BUNDLE_NOT_AVAILABLE: 406,
  request_timeout: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  RATE_LIMITED: 429,
  headers_too_large: 431,
  error: 500,
  not_implemented: 501,
  not_ready: 503,
  queue_full: 503,
  RECEIPT_NOT_SIGNED: 503,
  BUNDLE_NOT_SIGNED: 503,
} as const

export type ErrorCode = keyof typeof STATUS_OF_CODE

export interface ApiErrorOptions {
  errors?: readonly FieldError[]
  headers?: Readonly<Record<string, string>>
  cause?: unknown
  /**
   * Further fields of the log line of this refusal: client, grant, reason. Never a credential; the client does not see
   * them.
   */
  audit?: RefusalAudit
}

export interface RefusalAudit {
  client?: string
  grant?: string
  reason?: string
}

/** The one error that handlers throw: code, status, and a message that clients may read when `expose` is true. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly expose: boolean
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly audit: RefusalAudit | undefined

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = STATUS_OF_CODE[code]
    // A 503 names what the process waits for; the cause of a 500 is only logged.
    this.expose = this.status !== 500
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.audit = options.audit
  }
}
