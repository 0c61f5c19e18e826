import { ApiError, type ApiErrorOptions } from '../errors.ts'

export const REALM = 'Bearer realm="driveaway"'

/** The refusal of a bearer token (RFC 6750, 3.1). */
export function unauthenticated(message: string, options: Pick<ApiErrorOptions, 'cause' | 'audit'> = {}): ApiError {
  const headers = { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${message}"` }
  return new ApiError('UNAUTHENTICATED', message, { ...options, headers })
}
