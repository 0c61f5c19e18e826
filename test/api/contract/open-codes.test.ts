import { expect, test } from 'vitest'
import { SECRET } from '../pricing-server.ts'
import { contractServer } from './contract-server.ts'

// Four operations ask for no access token. Each code that the document names for one of them is made to occur there.
const { ask, document, server } = contractServer()

interface Asking {
  body?: string
  headers?: Record<string, string>
  /** What the service holds in place of its keys. */
  keys?: null
  /** How often the same request was refused before. */
  after?: number
}

const form = (change: Record<string, string> = {}): Asking => ({
  body: new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: 'dealer', client_secret: SECRET },
    ...change,
  }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const PADDED = { headers: { 'x-padding': 'x'.repeat(20_000) } }
const WRONG_SECRET = form({ client_id: 'unheard-of' })

const PROVOCATIONS: Record<string, Record<string, Asking>> = {
  getSpecification: { headers_too_large: PADDED },
  getIssuerMetadata: { headers_too_large: PADDED },
  listKeys: { headers_too_large: PADDED, not_ready: { keys: null } },
  createToken: {
    invalid_request: { ...form(), body: '' },
    unsupported_grant_type: form({ grant_type: 'password' }),
    invalid_scope: form({ scope: 'admin' }),
    invalid_client: WRONG_SECRET,
    payload_too_large: form({ padding: 'x'.repeat(40_000) }),
    unsupported_media_type: { ...form(), headers: { ...form().headers, 'content-encoding': 'rot13' } },
    RATE_LIMITED: { ...WRONG_SECRET, after: 30 },
    headers_too_large: { ...form(), headers: { ...form().headers, ...PADDED.headers } },
    not_ready: { ...form(), keys: null },
  },
}

/** A body that does not come (read-body.test.ts), and a fault of ours, which none of the four can be asked for. */
const ELSEWHERE = ['request_timeout', 'error']

interface Response {
  $ref?: string
  'x-codes'?: string[]
  content?: { 'application/json': { schema: { $ref?: string } } }
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>
  components: {
    responses: Record<string, Response>
    schemas: Record<string, { properties: Record<string, { enum: string[] }> }>
  }
}

const operations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  )

/** The codes that an operation may answer, those of RFC 6749 among them. */
function codesOf(operation: { responses: Record<string, Response> }, { components }: Document): string[] {
  const named = Object.values(operation.responses).flatMap((each) => {
    const response = components.responses[each.$ref?.split('/').at(-1) ?? ''] ?? each
    const schema = response.content?.['application/json'].schema.$ref?.split('/').at(-1) ?? ''
    const refusals = schema === 'TokenRefusal' ? components.schemas[schema]!.properties['error']!.enum : []
    return [...(response['x-codes'] ?? []), ...refusals]
  })
  return [...new Set(named)].filter((code) => !ELSEWHERE.includes(code)).sort()
}

test.each(Object.entries(PROVOCATIONS))(
  '%s: the codes that the document names are those that occur',
  async (id, made) => {
    const served = document() as unknown as Document
    const operation = operations(served).find(({ operationId }) => operationId === id)!
    expect(codesOf(operation, served)).toEqual(Object.keys(made).sort())
    const { path, method } = operation
    for (const [code, { body, headers, keys: held, after = 0 }] of Object.entries(made)) {
      const { keys } = server().holder.read()
      if (held === null) server().holder.swap({ keys: undefined })
      const once = () => ask<{ code?: string; error?: string }>(method, path, { as: null, body, headers })
      for (let count = 0; count < after; count++) await once()
      const answer = await once()
      server().holder.swap({ keys })
      expect([id, answer.body.code ?? answer.body.error]).toEqual([id, code])
    }
  },
)
