import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose'
import Provider, { type Adapter, type Configuration } from 'oidc-provider'

/** What its tokens call it; its addresses are on loopback. */
export const LOGIN_ISSUER = 'https://login.test'
const CLIENT_SECRET = 'a-secret-of-the-second-issuer-0123456789abcdef'

export interface OidcIssuer {
  issuer: string
  jwksUri: string
  /** How often its keys were asked for. */
  keyRequests(): number
  /** A token by client credentials: its subject is the client. */
  machineToken(options?: { clientId?: string; audience?: string; scope?: string }): Promise<string>
  /** A token that stands for a user who signed in at a client. */
  userToken(options?: { user?: string; clientId?: string; audience?: string }): Promise<string>
  /** A token that only a broken issuer makes, by its present key. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>
  /** Its present key, as it publishes it. */
  publicKey(): Promise<CryptoKey>
  /** Signs with a new key from now on; the keys before it are published along, or not. */
  rotate(options: { keepOld: boolean }): Promise<void>
  /** Takes no connection until `comeBack`. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

/** A real oidc-provider on a free port of loopback, with the clients given. */
export async function startOidcIssuer(clientIds: readonly string[]): Promise<OidcIssuer> {
  let keys = [await newKey('o1')]
  let provider = newProvider(clientIds, keys)
  let keyRequests = 0
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/jwks') keyRequests += 1
    void provider.callback()(request, response)
  }
  let server = await listen(handle, 0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const goAway = () => shut(server)
  return {
    issuer: LOGIN_ISSUER,
    jwksUri: `${url}/jwks`,
    keyRequests: () => keyRequests,
    machineToken: (options) => askToken(url, options),
    userToken: (options) => mintUserToken(provider, options),
    sign: async (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys[0]?.kid ?? '', ...header })
        .sign((await importJWK(keys[0] as JWK, 'ES256')) as CryptoKey),
    publicKey: async () =>
      (await importJWK({ ...keys[0], d: undefined } as JWK, 'ES256', { extractable: true })) as CryptoKey,
    rotate: async ({ keepOld }) => {
      const key = await newKey(`o${Number(keys[0]?.kid?.slice(1)) + 1}`)
      keys = [key, ...(keepOld ? keys : [])]
      provider = newProvider(clientIds, keys)
    },
    goAway,
    comeBack: async () => void (server = await listen(handle, port)),
    close: goAway,
  }
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
}

const GRANTS = 'pricing:quote inventory:write'
const server = (audience: string) => ({
  audience,
  scope: GRANTS,
  accessTokenFormat: 'jwt' as const,
  jwt: { sign: { alg: 'ES256' as const } },
})

/** Keeps nothing: its clients are listed here, and its tokens are JWTs. */
const nothing = () => Promise.resolve(undefined)
const noStore: Adapter = {
  ...{ upsert: nothing, find: nothing, findByUserCode: nothing, findByUid: nothing },
  ...{ consume: nothing, destroy: nothing, revokeByGrantId: nothing },
}

function newProvider(clientIds: readonly string[], keys: JWK[]): Provider {
  const configuration: Configuration = {
    adapter: () => noStore,
    clients: clientIds.map((client_id) => ({
      ...{ client_id, client_secret: CLIENT_SECRET, token_endpoint_auth_method: 'client_secret_post' as const },
      ...{ grant_types: ['client_credentials'], response_types: [], redirect_uris: [] },
      id_token_signed_response_alg: 'ES256' as const,
    })),
    jwks: { keys: keys as never },
    ttl: { AccessToken: 600, ClientCredentials: 600 },
    cookies: { keys: ['only-for-tests'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, getResourceServerInfo: (_ctx, resource) => server(resource) },
    },
  }
  return new Provider(LOGIN_ISSUER, configuration)
}

async function askToken(
  url: string,
  {
    clientId = 'robot',
    audience = 'urn:driveaway',
    scope,
  }: { clientId?: string; audience?: string; scope?: string } = {},
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: CLIENT_SECRET }
  const body = new URLSearchParams({ ...form, resource: audience, ...(scope && { scope }) })
  const response = await fetch(`${url}/token`, { method: 'POST', body })
  const answer = (await response.json()) as { access_token?: string }
  if (!answer.access_token) throw new Error(`the second issuer answered ${response.status} ${JSON.stringify(answer)}`)
  return answer.access_token
}

/** The provider's own token class: what the end of a sign-in makes, without the forms before it. */
async function mintUserToken(
  provider: Provider,
  {
    user = 'ada',
    clientId = 'robot',
    audience = 'urn:driveaway',
  }: { user?: string; clientId?: string; audience?: string } = {},
): Promise<string> {
  const client = await provider.Client.find(clientId)
  if (!client) throw new Error(`the second issuer has no client ${clientId}`)
  const token = new provider.AccessToken({
    accountId: user,
    client,
    grantId: 'g',
    gty: 'authorization_code',
    scope: GRANTS,
  } as never)
  token.resourceServer = new provider.ResourceServer(audience, server(audience))
  return token.save()
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void, port: number) {
  // On a machine so busy that seconds pass between two requests, a connection must not end under the second.
  const server = createServer({ keepAliveTimeout: 120_000 }, handle)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}

function shut(server: Awaited<ReturnType<typeof listen>>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
