import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { Gauge, type Registry } from 'prom-client'
import type { Logger } from '#runtime/log.ts'
import type { ExternalIssuer } from './issuer-allow-list.ts'
import { followIssuerKeys, type IssuerKeys, type TIMING } from './issuer-keys.ts'
import { readKeySet, type KeySet } from './read-key-set.ts'

/** What a verified token of an external issuer says. */
export interface ExternalClaims {
  issuer: string
  subject: string
  /** Whether the token belongs to a machine: in a user's token the subject differs from the client. */
  isMachine: boolean
  scopes: readonly string[]
  /** The key set that the token was verified with. */
  keySet: KeySet
  /** Seconds since the epoch. */
  expires: number
}

/** The issuers on the allow-list. */
export interface ExternalIssuers {
  /** Whether this token names, unverified, an issuer on the list. */
  claims(token: string): boolean
  /**
   * Throws for an invalid token, and IssuerAway when the token cannot be checked now; `now` in seconds since the epoch.
   */
  verify(token: string, now: number): Promise<ExternalClaims>
  /** Whether a token that was verified before is still valid with the keys of now. */
  isCurrent(claims: ExternalClaims): boolean
  stop(): void
}

export interface ExternalIssuersOptions {
  log: Logger
  registry?: Registry
  timing?: Partial<typeof TIMING>
}

// Seconds: a clock that lags behind the issuer's must not refuse a token signed this moment.
const LEEWAY_SECONDS = 5
const TIMEOUT_MS = 5000

interface Followed {
  entry: ExternalIssuer
  keys: IssuerKeys
}

/** Follows the keys of every issuer on the allow-list, and verifies their tokens. */
export function followExternalIssuers(
  list: readonly ExternalIssuer[],
  options: ExternalIssuersOptions,
): ExternalIssuers {
  const followed = new Map(list.map((entry) => [entry.issuer, { entry, keys: keysOf(entry, options) }]))
  if (options.registry) showAges(followed, options.registry)
  return {
    claims: (token) => followed.has(issuerOf(token) ?? ''),
    verify: (token, now) => {
      const found = followed.get(issuerOf(token) ?? '')
      if (!found) return Promise.reject(new Error('the issuer is not on the allow-list'))
      return verify(token, found, now)
    },
    isCurrent: ({ issuer, keySet }) => followed.get(issuer)?.keys.isCurrent(keySet) ?? false,
    stop: () => followed.forEach(({ keys }) => keys.stop()),
  }
}

function keysOf({ issuer, jwksUri }: ExternalIssuer, { log, timing = {} }: ExternalIssuersOptions): IssuerKeys {
  return followIssuerKeys({
    read: () => readKeySet(jwksUri, TIMEOUT_MS),
    onFault: (error) =>
      log.warn({ err: error, issuer }, 'could not read the keys of an issuer; keeping the previous keys'),
    timing,
  })
}

function showAges(followed: ReadonlyMap<string, Followed>, registry: Registry): void {
  new Gauge({
    name: 'driveaway_issuer_keys_age_seconds',
    help: 'Seconds since the keys of an external issuer were last read.',
    labelNames: ['issuer'] as const,
    registers: [registry],
    collect() {
      for (const [issuer, { keys }] of followed) this.set({ issuer }, keys.age() / 1000)
    },
  })
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function verify(token: string, { entry, keys }: Followed, now: number): Promise<ExternalClaims> {
  const issuerKeys = await keys.current()
  try {
    return claimsOf(await verified(token, entry, issuerKeys, now), issuerKeys)
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    const newer = await keys.newerThan(issuerKeys)
    if (!newer) throw error
    return claimsOf(await verified(token, entry, newer, now), newer)
  }
}

async function verified(token: string, entry: ExternalIssuer, keySet: KeySet, now: number): Promise<JWTPayload> {
  const { issuer, audience, algorithms, tokenType } = entry
  const { payload } = await jwtVerify(token, keySet, {
    issuer,
    audience,
    algorithms: [...algorithms],
    typ: tokenType,
    clockTolerance: LEEWAY_SECONDS,
    currentDate: new Date(now * 1000),
    requiredClaims: ['exp', 'iat', 'sub', 'aud'],
  })
  return payload
}

function claimsOf(payload: JWTPayload, keySet: KeySet): ExternalClaims {
  const { iss, sub, exp, client_id: clientId, scope } = payload
  if (!iss || !sub || !exp) throw new Error('the token lacks iss, sub or exp')
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
  return { issuer: iss, subject: sub, isMachine: clientId === sub, scopes, keySet, expires: exp }
}
