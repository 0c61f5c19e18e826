import { endpoint } from '../auth/metadata.ts'

interface Secured {
  components: { securitySchemes: { clientCredentials: { flows: { clientCredentials: { tokenUrl: string } } } } }
}

/** The contract with the address at which `issuer` gives tokens: no path of this application is it. */
export function withTokenAddress(document: object, issuer: string): object {
  const copy = structuredClone(document) as Secured
  copy.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl = endpoint(issuer, '/oauth/token')
  return copy
}
