import { ASSERTION_ALGORITHMS } from './client-assertion.ts'
import { GRANTS } from './grants.ts'

/** Authorization server metadata (RFC 8414, section 2) of an issuer. */
export function authorizationServerMetadata(issuer: string): object {
  return {
    issuer,
    token_endpoint: endpoint(issuer, '/oauth/token'),
    jwks_uri: endpoint(issuer, '/oauth/jwks'),
    scopes_supported: GRANTS,
    // There is no authorization endpoint; the list is required, so it is empty.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  }
}

/** The address of a path of the issuer. */
export function endpoint(issuer: string, path: string): string {
  return `${issuer.replace(/\/$/, '')}${path}`
}
