/** The error codes of RFC 6749, section 5.2. */
export type OAuthErrorCode =
  'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A refusal of the token endpoint; `challenge` when the client tried the Authorization header. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number
  readonly challenge: boolean

  constructor(code: OAuthErrorCode, description: string, options: { challenge?: boolean; cause?: unknown } = {}) {
    super(description, { cause: options.cause })
    this.code = code
    this.status = code === 'invalid_client' ? 401 : 400
    this.challenge = options.challenge ?? false
  }
}
