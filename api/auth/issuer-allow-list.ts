import { Ajv, type ErrorObject } from 'ajv'

// Asymmetric algorithms only: an HMAC verifier can also sign, and a public key would serve as the secret
// (RFC 8725, 2.1).
export const ISSUER_ALGORITHMS = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
]

/** An issuer whose tokens are accepted. */
export interface ExternalIssuer {
  /** The exact value of `iss`. */
  issuer: string
  /** The exact value of `aud`, or of one of its entries. */
  audience: string
  /** Address of its public keys; no other address is ever fetched. */
  jwksUri: string
  algorithms: readonly string[]
  /** The `typ` in the header: RFC 9068 requires at+jwt; older issuers write JWT. */
  tokenType: 'at+jwt' | 'JWT'
}

export interface AllowListRules {
  /** Our own issuer, which cannot be an external one. */
  ownIssuer: string
  /** Whether keys may be fetched by plain http from a loopback address: for tests. */
  allowLoopbackHttp: boolean
}

const text = { type: 'string', minLength: 1, maxLength: 512 }
const schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['issuer', 'audience', 'jwksUri'],
    additionalProperties: false,
    properties: {
      issuer: { ...text, pattern: '^https://[^\\s?#]+$' },
      audience: text,
      jwksUri: text,
      algorithms: { type: 'array', minItems: 1, items: { enum: ISSUER_ALGORITHMS } },
      tokenType: { enum: ['at+jwt', 'JWT'] },
    },
  },
}
const validate = new Ajv({ allErrors: true }).compile<Partial<ExternalIssuer>[]>(schema)

/** Parses the JSON list of external issuers. Returns every fault as a message that names its entry. Pure. */
export function parseAllowList(json: string, rules: AllowListRules): { issuers: ExternalIssuer[]; faults: string[] } {
  const list = parsed(json)
  if (!validate(list)) return { issuers: [], faults: (validate.errors ?? []).map(inWords) }
  const issuers = list.map((entry) => ({
    algorithms: ISSUER_ALGORITHMS,
    tokenType: 'at+jwt',
    ...entry,
  })) as ExternalIssuer[]
  return { issuers, faults: issuers.flatMap((entry, at) => faultsOf(entry, at, { issuers, rules })) }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const detail = params['additionalProperty'] ?? params['allowedValues']?.join(', ')
  return `${instancePath || 'the list'} ${message ?? 'is wrong'}${detail === undefined ? '' : `: ${detail}`}`
}

function faultsOf(
  { issuer, jwksUri }: ExternalIssuer,
  at: number,
  { issuers, rules }: { issuers: readonly ExternalIssuer[]; rules: AllowListRules },
): string[] {
  const faults: string[] = []
  if (issuer === rules.ownIssuer) faults.push(`/${at}/issuer is this installation itself`)
  if (issuers.findIndex((each) => each.issuer === issuer) < at) faults.push(`/${at}/issuer is listed twice`)
  const wrong = wrongAddress(jwksUri, rules.allowLoopbackHttp)
  if (wrong) faults.push(`/${at}/jwksUri ${wrong}`)
  return faults
}

function wrongAddress(address: string, allowLoopbackHttp: boolean): string | undefined {
  const url = URL.parse(address)
  if (!url) return 'is not a URL'
  if (url.username || url.password || url.hash) return 'must contain no credentials and no fragment'
  if (url.protocol === 'https:') return undefined
  // A host name can be made to resolve to any address: only literal loopback addresses count as loopback.
  const isLoopback = /^127\.\d+\.\d+\.\d+$/.test(url.hostname) || url.hostname === '[::1]'
  return url.protocol === 'http:' && isLoopback && allowLoopbackHttp ? undefined : 'must be an https URL'
}
