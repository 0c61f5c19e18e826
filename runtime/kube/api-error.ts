/** The fields of a `Status` object (meta/v1) that we read. */
export interface Status {
  code?: number
  reason?: string
  message?: string
  details?: { retryAfterSeconds?: number }
}

/** An error that kube-apiserver answered. */
export class KubeApiError extends Error {
  override name = 'KubeApiError'
  /** HTTP status, or the code of an ERROR event. */
  readonly status: number
  /** Machine-readable reason, such as `Conflict` or `NotFound`. */
  readonly reason: string
  /** How long the server asks callers to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(what: string, status: Status & { code: number; retryAfterMs?: number }) {
    super(`${what}: ${status.code} ${status.message ?? status.reason ?? ''}`.trimEnd())
    this.status = status.code
    this.reason = status.reason ?? ''
    const seconds = status.details?.retryAfterSeconds
    this.retryAfterMs = status.retryAfterMs ?? (seconds === undefined ? undefined : seconds * 1000)
  }
}

/** Whether the error says that the object or its kind does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof KubeApiError && error.status === 404
}

/** Whether the error says that a precondition failed, the object already exists, or another manager owns a field. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubeApiError && error.status === 409
}

/** Whether a resourceVersion or a continue token is too old to continue from. */
export function isGone(error: unknown): boolean {
  return error instanceof KubeApiError && (error.status === 410 || error.reason === 'Expired')
}

/** Whether the server refused a request and would refuse the same one again. A server that is busy or fails has not refused. */
export function isRefusal(error: unknown): boolean {
  return error instanceof KubeApiError && error.status < 500 && error.status !== 429
}
