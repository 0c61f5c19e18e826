import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReleaseKeyRing } from '../../../api/load/follow-release-keys.ts'
import type { Snapshot } from '../../../rates/engine/snapshot.ts'
import { bearer, newReleaseKeys, startPricingServer, type PricingServer } from '../pricing-server.ts'
import { committedRates } from './committed-rates.ts'
import { contractServer, type Refusal } from './contract-server.ts'
import { anywhere, customerWith, onDay, suv, vehicle, without } from './requests.ts'

// "GETs list 400 codes that cannot occur": each code that the document names for an operation is made to occur there.
const { ask, document, server } = contractServer()

type Body = Record<string, unknown>
interface Provocation {
  body?: unknown
  query?: string
  release?: string
  headers?: Record<string, string>
  as?: string | null
  /** What the service holds in place of its rates. */
  rates?: Partial<Snapshot> | null
}

const PRICED: Record<string, Body> = {
  bad_request: without('purchaseDate'),
  INVALID_SHOWROOM_CODE: suv({ showroomCode: ' ' }),
  SHOWROOM_ACCESS_DENIED: suv({ showroomCode: 'MEL99' }),
  INVALID_PRICING_CODE: suv({ pricingCode: 'AU_ZZ' }),
  UNSUPPORTED_FINANCIAL_YEAR: suv({ purchaseDate: '2040-01-01' }),
  UNSUPPORTED_REGISTRATION_DATE: suv({ registration: anywhere('2040-01-01') }),
  UNSUPPORTED_REGISTRATION_TYPE: suv({
    ...{ pricingCode: 'AU_SA', showroomCode: 'ADL01', ...vehicle({ condition: 'used' }) },
    registration: { ...anywhere('2026-08-10'), type: 'transfer' },
  }),
  UNSUPPORTED_REGISTRATION_TERM: suv({ registration: { ...onDay('2026-08-10').registration, termMonths: 7 } }),
  INVALID_CONCESSION: suv(customerWith({ hasConcession: true, type: 'NOBODY' })),
  INVALID_VEHICLE_INPUT: suv({ registration: { ...onDay('2026-08-10').registration, type: 'transfer' } }),
  INCOMPLETE_QUOTE: suv({
    ...{ pricingCode: 'AU_WA', showroomCode: 'PER01', registration: anywhere('2026-08-10') },
    options: { incomplete: 'reject' },
  }),
  RECEIPT_NOT_AVAILABLE: suv({ options: { receipt: true } }),
  RECEIPT_NOT_SIGNED: suv({ options: { receipt: true } }),
  UNKNOWN_RELEASE: suv({ options: { asKnownAt: '1999-01-01T00:00:00Z' } }),
}

const QUERIES: Record<string, Record<string, string>> = {
  listJurisdictions: {
    bad_request: 'date=today',
    INVALID_PRICING_CODE: 'pricingCode=AU_ZZ',
    UNKNOWN_RELEASE: 'asKnownAt=1999-01-01T00:00:00Z',
  },
  listConcessions: {
    bad_request: '',
    INVALID_PRICING_CODE: 'pricingCode=AU_ZZ',
    UNKNOWN_RELEASE: 'pricingCode=AU_VIC&asKnownAt=1999-01-01T00:00:00Z',
  },
  listRules: {
    bad_request: 'pricingCode=AU_VIC&showroomCode=MEL01',
    INVALID_SHOWROOM_CODE: 'pricingCode=AU_VIC&date=2026-08-10',
    SHOWROOM_ACCESS_DENIED: 'pricingCode=AU_VIC&date=2026-08-10&showroomCode=MEL99',
    INVALID_PRICING_CODE: 'pricingCode=AU_ZZ&date=2026-08-10&showroomCode=MEL01',
    UNKNOWN_RELEASE: 'pricingCode=AU_VIC&date=2026-08-10&showroomCode=MEL01&asKnownAt=1999-01-01T00:00:00Z',
  },
  listChanges: {
    bad_request: 'from=2026-07-02&to=2026-07-01',
    INVALID_PRICING_CODE: 'from=2026-07-01&to=2026-07-01&pricingCode=AU_ZZ',
    UNKNOWN_RELEASE: 'from=2026-07-01&to=2026-07-01&asKnownAt=1999-01-01T00:00:00Z',
  },
  listReleases: {},
  getReleasesFeed: {},
  getCurrentRelease: {},
}

const BUNDLE = 'application/vnd.driveaway.bundle+gzip'

/** The value of `{release}` in a path, by code. */
const RELEASES: Record<string, string> = { bad_request: 'latest', UNKNOWN_RELEASE: `sha256:${'0'.repeat(64)}` }

const GOOD_QUERY: Record<string, string> = {
  listConcessions: 'pricingCode=AU_VIC',
  listRules: 'pricingCode=AU_VIC&date=2026-08-10&showroomCode=MEL01',
  listChanges: 'from=2026-07-01&to=2026-07-01',
}

/** Whatever is common to all operations that ask for a token. */
const SHARED: Record<string, Provocation> = {
  'not-authenticated': { as: null },
  UNAUTHENTICATED: { as: null, headers: { authorization: 'Bearer old' } },
  INSUFFICIENT_SCOPE: { as: 'uploader' },
  USER_INACTIVE: { as: 'suspended' },
  not_ready: { rates: null },
  headers_too_large: { headers: { 'x-padding': 'x'.repeat(20_000) } },
  // A fault of ours: rates that lack a part.
  error: { rates: { jurisdictions: undefined as never, specs: undefined as never } },
}

const OF_BODIES: Record<string, Provocation> = {
  payload_too_large: { body: JSON.stringify({ padding: 'x'.repeat(1_100_000) }) },
  unsupported_media_type: { headers: { 'content-type': 'text/plain' } },
}

/** Keys of which the one that signs cannot sign. */
async function failingKeys(): Promise<ReleaseKeyRing> {
  const ring = await newReleaseKeys()
  const { publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  return { ...ring, signing: (at) => ({ ...ring.signing(at)!, key: publicKey }) }
}

/** Codes with tests of their own: a body that does not come (read-body.test.ts), and the limit below. */
const ELSEWHERE = ['request_timeout', 'RATE_LIMITED']

const aimed = (body: Body, target: Body = { driveAway: 5_000_000 }): Body => ({ ...body, target })

const SHAPES: Record<string, (body: Body) => unknown> = {
  createQuote: (body) => body,
  createQuoteBatch: (body) => [suv(), body],
  solveTargetDriveAway: (body) => aimed(body),
}

/** What only the operations of releases need. */
function aboutReleases(operationId: string, code: string): Provocation | undefined {
  if (operationId === 'getRelease' && RELEASES[code]) return { release: RELEASES[code] }
  // A release that is no text cannot be written.
  if (['listReleases', 'getReleasesFeed'].includes(operationId) && code === 'error')
    return { rates: { release: 1n as never } }
  if (code.startsWith('BUNDLE_'))
    return { release: server().holder.read().rates!.snapshot.release, headers: { accept: BUNDLE } }
  if (operationId === 'getRelease' && code === 'error')
    return { ...SHARED[code], release: server().holder.read().rates!.snapshot.release }
  return undefined
}

function provocation(operationId: string, code: string): Provocation {
  const shape = SHAPES[operationId]
  const good: Provocation = shape ? { body: shape(suv()) } : { query: GOOD_QUERY[operationId] ?? '' }
  if (code === 'INVALID_TARGET') return { body: aimed(suv(), { driveAway: 5_000_000, adjustLineIndex: 9 }) }
  if (code === 'TARGET_NOT_ACHIEVABLE') return { body: aimed(suv(), { driveAway: 1 }) }
  const shared = SHARED[code] ?? (shape && OF_BODIES[code])
  if (shared) return { ...good, ...shared }
  if (shape && PRICED[code]) return { body: shape(PRICED[code]) }
  const query = QUERIES[operationId]?.[code]
  return query === undefined ? expect.fail(`${operationId} gives no ${code}`) : { query }
}

interface Response {
  $ref?: string
  'x-codes'?: string[]
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

const OPERATIONS = [...Object.keys(SHAPES), ...Object.keys(QUERIES), 'getRelease']

function operationOf(operationId: string) {
  const { paths, components } = document() as unknown as Document
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue
      const responses = Object.values(operation.responses).map(
        (each) => components.responses[each.$ref?.split('/').at(-1) ?? ''] ?? each,
      )
      return { path, method: method.toUpperCase(), codes: responses.flatMap((each) => each['x-codes'] ?? []) }
    }
  }
  throw new Error(`there is no operation ${operationId}`)
}

test.each(OPERATIONS)('%s: each code that the document names for it occurs', async (operationId) => {
  const { path, method, codes } = operationOf(operationId)
  expect(codes.length).toBeGreaterThan(5)
  for (const code of codes.filter((each) => !ELSEWHERE.includes(each))) {
    const {
      rates: other,
      query = '',
      release = RELEASES.UNKNOWN_RELEASE!,
      ...asking
    } = aboutReleases(operationId, code) ?? provocation(operationId, code)
    const { rates } = server().holder.read()
    const swapped = other && { ...rates!, snapshot: { ...rates!.snapshot, ...other } }
    if (other !== undefined) server().holder.swap({ rates: swapped ?? undefined })
    if (code.endsWith('_NOT_AVAILABLE')) server().swapReleaseKeys()
    if (code.endsWith('_NOT_SIGNED')) server().swapReleaseKeys(await failingKeys())
    const { body } = await ask<Refusal>(
      method,
      `${path.replace('{release}', release)}${query === '' ? '' : `?${query}`}`,
      asking,
    )
    server().holder.swap({ rates })
    expect([operationId, body.code]).toEqual([operationId, code])
  }
})

let limited: PricingServer
beforeAll(async () => {
  limited = await startPricingServer(committedRates(), undefined, { requestsPerMinute: 1 })
})
afterAll(() => limited?.close())

test('RATE_LIMITED is an answer of every operation that asks for a token, where requests are limited', async () => {
  const headers = bearer(await limited.token())
  await limited.get('/v1/concessions?pricingCode=AU_VIC', headers)
  for (const operationId of OPERATIONS) {
    const { path, method } = operationOf(operationId)
    const response = method === 'GET' ? await limited.get(path, headers) : await limited.post(path, {}, headers)
    expect([operationId, ((await response.json()) as Refusal).code]).toEqual([operationId, 'RATE_LIMITED'])
  }
})
