import { OAuthError } from './oauth-error.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The credential that a client presents, before any of it is checked. */
export type ClientCredential =
  | { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secret: string }
  | { method: 'private_key_jwt'; clientId: string | undefined; assertion: string }

export interface TokenRequest {
  credential: ClientCredential
  /** Undefined: every scope that the client is granted. */
  scopes: readonly string[] | undefined
}

/**
 * Parses a token request of the client credentials grant. Throws OAuthError as RFC 6749, sections 3.2 and 5.2, require.
 */
export function parseTokenRequest(form: string | undefined, authorization: string): TokenRequest {
  if (form === undefined) throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  const parameters = parametersOf(form)
  const grantType = parameters.get('grant_type')
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.')
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'Only client_credentials is supported.')
  }
  const scopes = new Set(parameters.get('scope')?.split(' ').filter(Boolean))
  return { credential: credentialOf(parameters, authorization), scopes: scopes.size > 0 ? [...scopes] : undefined }
}

/** A parameter without a value counts as omitted, and none may be repeated (RFC 6749, 3.2). */
function parametersOf(form: string): Map<string, string> {
  const parameters = new Map<string, string>()
  if (formDecoded(form) === undefined) throw new OAuthError('invalid_request', 'The body is not form-encoded UTF-8.')
  for (const [name, value] of new URLSearchParams(form)) {
    if (parameters.has(name)) throw new OAuthError('invalid_request', `${name.slice(0, 64)} is sent twice.`)
    parameters.set(name, value)
  }
  for (const [name, value] of parameters) if (value === '') parameters.delete(name)
  return parameters
}

function credentialOf(parameters: ReadonlyMap<string, string>, authorization: string): ClientCredential {
  const secret = parameters.get('client_secret')
  const assertion = parameters.get('client_assertion')
  const sent = [authorization !== '', secret !== undefined, assertion !== undefined].filter(Boolean).length
  // RFC 6749, 2.3: a client must not use more than one authentication method in a request.
  if (sent > 1) throw new OAuthError('invalid_request', 'Use one method of client authentication, not several.')
  const clientId = parameters.get('client_id')
  if (authorization !== '') return fromBasic(authorization, clientId)
  if (assertion !== undefined) {
    const right = parameters.get('client_assertion_type') === ASSERTION_TYPE
    if (!right) throw new OAuthError('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}.`)
    return { method: 'private_key_jwt', clientId, assertion }
  }
  if (clientId === undefined || secret === undefined)
    throw new OAuthError('invalid_client', 'No client authentication was sent.')
  return { method: 'client_secret_post', clientId, secret }
}

/** RFC 6749, 2.3.1: the id and the secret are form-encoded before they are joined. */
function fromBasic(authorization: string, alsoSent: string | undefined): ClientCredential {
  const refused = (description: string) => new OAuthError('invalid_client', description, { challenge: true })
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw refused('The Authorization header is not of the Basic scheme.')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) throw refused('The Authorization header contains no id and secret.')
  const [clientId, secret] = [pair.slice(0, colon), pair.slice(colon + 1)].map(formDecoded)
  if (clientId === undefined || secret === undefined) throw refused('The id or secret is not form-encoded.')
  if (alsoSent !== undefined && alsoSent !== clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header.')
  }
  return { method: 'client_secret_basic', clientId, secret }
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
