/** The parts of a `Status` object (meta/v1) that we read. */
export interface Status {
  code?: number
  reason?: string
  message?: string
  details?: { retryAfterSeconds?: number }
}

/** What kube-apiserver answered instead of what was asked for. */
export class KubeApiError extends Error {
  override name = 'KubeApiError'
  /** HTTP status, or the code of an ERROR event. */
  readonly status: number
  /** Machine-readable reason, such as `Conflict` or `NotFound`. */
  readonly reason: string
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(what: string, status: Status & { code: number; retryAfterMs?: number }) {
    super(`${what}: ${status.code} ${status.message ?? status.reason ?? ''}`.trimEnd())
    this.status = status.code
    this.reason = status.reason ?? ''
    const seconds = status.details?.retryAfterSeconds
    this.retryAfterMs = status.retryAfterMs ?? (seconds === undefined ? undefined : seconds * 1000)
  }
}

/** Whether the server says that the object, or its kind, does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof KubeApiError && error.status === 404
}

/** Whether a precondition failed, the object exists already, or another manager owns a field. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubeApiError && error.status === 409
}

/** Whether a resourceVersion or a continue token is too old to go on from. */
export function isGone(error: unknown): boolean {
  return error instanceof KubeApiError && (error.status === 410 || error.reason === 'Expired')
}
