import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { Registry } from 'prom-client'
import { hashSecret } from '../../rates/published/hashed-secret.ts'
import type { ExternalIssuers } from '../../api/auth/external-issuers.ts'
import { importKeyRing } from '../../api/auth/key-ring.ts'
import { serve } from '../../api/http/serve.ts'
import { NO_RELEASE_KEYS, type ReleaseKeyRing } from '../../api/load/follow-release-keys.ts'
import { createHolder, holdClients, type Holder } from '../../api/load/held.ts'
import { createPricingApp, type PricingServices } from '../../api/pricing/app.ts'
import { countUnpriced } from '../../api/pricing/unpriced-metric.ts'
import type { Snapshot } from '../../rates/engine/snapshot.ts'
import type { ClientBinding, SigningKeys } from '../../rates/published/format.ts'
import type { Logger } from '../../runtime/log.ts'
import { appServices } from './app-services.ts'

export const ISSUER = 'https://pricing.test'
export const AUDIENCE = 'driveaway-test'
export const SECRET = 'correct-horse-battery-staple-0123456789-abcdefg'

/** A snapshot without any rate set: enough for whatever is decided before a price is asked for. */
export const emptySnapshot: Snapshot = {
  release: 'sha256:none',
  jurisdictions: {},
  unavailable: [],
  digests: {},
  programs: {},
  specs: [],
}

export interface PricingServer {
  url: string
  holder: Holder
  registry: Registry
  signingKey: JWK
  /** Puts other release keys in the place of the one of environment `test`; none: nothing is signed. */
  swapReleaseKeys(ring?: ReleaseKeyRing): void
  /** Moves the server's clock by milliseconds. */
  advance(ms: number): void
  now(): number
  token(clientId?: string, scope?: string): Promise<string>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** A binding with the test secret, granted pricing:quote and bound to MEL01 and SYD01. */
export function binding(clientId: string, change: Partial<ClientBinding> = {}): ClientBinding {
  return {
    clientId,
    uid: `uid-of-${clientId}`,
    displayName: clientId,
    showroomCodes: ['MEL01', 'SYD01'],
    grants: ['pricing:quote'],
    suspended: false,
    secrets: [hashSecret(SECRET, '00112233445566778899aabbccddeeff')],
    jwks: [],
    subjects: [],
    ...change,
  }
}

export function clientsOf(...bindings: ClientBinding[]) {
  const byId = new Map(bindings.map((each) => [each.clientId, each]))
  return holdClients({ byId, digest: 'sha256:clients', sequence: 1 })
}

export async function newSigningKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return { ...(await exportJWK(privateKey)), kid }
}

export const keyRing = (...keys: [SigningKeys['keys'][number]['state'], JWK][]) =>
  importKeyRing({ keys: keys.map(([state, jwk]) => ({ state, since: '2026-08-01T00:00:00Z', jwk: { ...jwk } })) })

/** The pricing application on a free port, with the rates given, the clients `dealer`, `uploader` and `suspended`, and one key. */
export async function startPricingServer(
  snapshot: Snapshot = emptySnapshot,
  external?: ExternalIssuers,
  {
    log,
    ...settings
  }: { log?: Logger } & Pick<
    Partial<PricingServices>,
    | 'proxyHops'
    | 'tracing'
    | 'requestsPerMinute'
    | 'noticePages'
    | 'explorer'
    | 'explorerFollowsMs'
    | 'keptReleases'
    | 'decisions'
    | 'archive'
    | 'keepDays'
  > = {},
): Promise<PricingServer> {
  const registry = new Registry()
  const holder = createHolder()
  const signingKey = await newSigningKey('k1')
  let offset = 0
  const clock = () => Date.now() + offset
  holder.swap({
    rates: { snapshot, sequence: 1, loadedAt: new Date().toISOString() },
    clients: clientsOf(
      binding('dealer'),
      binding('uploader', { grants: ['inventory:write'] }),
      binding('suspended', { suspended: true }),
    ),
    keys: await keyRing(['current', signingKey]),
  })
  let releaseKeys = await newReleaseKeys()
  const common = { ...appServices(registry, log), ...settings, countUnpriced: countUnpriced(registry) }
  const services = {
    ...common,
    holder,
    issuer: ISSUER,
    audience: AUDIENCE,
    external,
    clock,
    registry,
    releaseKeys: () => releaseKeys,
  }
  const served = await serve(await createPricingApp(services), { host: '127.0.0.1', port: 0, ...(log && { log }) })
  const { url } = served
  return {
    ...{ url, holder, registry, signingKey },
    swapReleaseKeys: (ring = NO_RELEASE_KEYS) => void (releaseKeys = ring),
    advance: (ms) => void (offset += ms),
    now: clock,
    token: (clientId = 'dealer', scope) => fetchToken(url, clientId, scope),
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(`${url}${path}`, { headers }),
    close: () => served.close(),
  }
}

/** A new key that signs for an environment, and the list in which it is published. */
export async function newReleaseKeys(kid = 'r1', environment = 'test'): Promise<ReleaseKeyRing> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const { x = '' } = await exportJWK(publicKey)
  const published = { kty: 'OKP', crv: 'Ed25519', x, kid, environment }
  return { signing: () => ({ kid, environment, key: privateKey, published }), published: [published] }
}

async function fetchToken(url: string, clientId: string, scope?: string): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: SECRET })
  if (scope !== undefined) form.set('scope', scope)
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: form })
  return ((await response.json()) as { access_token: string }).access_token
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A request that the schema accepts: a new petrol SUV in Melbourne. */
export function suv(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    pricingCode: 'AU_VIC',
    showroomCode: 'MEL01',
    purchaseDate: '2026-08-03',
    vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', cylinders: 4, co2GPerKm: 150, seats: 5 },
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: 4500000 }] },
    registration: { startDate: '2026-08-10', termMonths: 12, type: 'new', postcode: '3000' },
    customer: { customerType: 'consumer', usageType: 'consumer' },
    taxDatePolicy: { outOfRange: 'error' },
    ...change,
  }
}
