import { KubeApiError } from '#runtime/kube/api-error.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** What the server answers instead of what was asked for. */
export function refusal(code: number, message: string, reason = REASONS[code] ?? ''): KubeApiError {
  return new KubeApiError('model', { code, reason, message })
}
