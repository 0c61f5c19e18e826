import type Koa from 'koa'
import type { Context } from 'koa'
import type { Registry } from 'prom-client'
import type { ClientBinding } from '#rates/published/format.ts'
import { admit, notLoaded } from '../auth/admit.ts'
import { createAuthenticate, type TokenRules } from '../auth/authenticate.ts'
import { endpoint } from '../auth/metadata.ts'
import { createReplayMemory } from '../auth/replay-memory.ts'
import { routeOAuth } from '../auth/routes.ts'
import { createApp, createRouter, routeSpecification } from '../http/app.ts'
import type { AppServices } from '../http/frame.ts'
import { readContract, type Contract } from '../http/contract.ts'
import { NO_DECISION_LOG, type DecisionLog } from '../decisions/decision-log.ts'
import { routeEntry } from '../http/entry.ts'
import { routeOperation, type Begin } from '../http/operation.ts'
import { routeReference } from '../http/reference.ts'
import type { NoticePages } from '../load/follow-notice-pages.ts'
import { NO_RELEASE_KEYS, type ReleaseKeyRing } from '../load/follow-release-keys.ts'
import type { Holder } from '../load/held.ts'
import type { ReleaseArchive } from '../releases/archive.ts'
import { createBundles } from '../releases/bundles.ts'
import { NO_KEPT_RELEASES, type KeptReleases } from '../releases/kept-releases.ts'
import { createReleases, type Releases } from '../releases/releases.ts'
import { createClientLimit } from './client-limit.ts'
import { routeExplorer, type ExplorerAccess } from './explorer.ts'
import { routeNoticePage } from './notice-page.ts'
import { PRICING_GRANT, type Dependencies } from './operation.ts'
import { createQuoteBatch } from './operations/create-quote-batch.ts'
import { createQuote } from './operations/create-quote.ts'
import { getChangesCalendar } from './operations/get-changes-calendar.ts'
import { getCurrentRelease, getRelease } from './operations/get-release.ts'
import { getReleasesFeed } from './operations/get-releases-feed.ts'
import { listChanges } from './operations/list-changes.ts'
import { listConcessions } from './operations/list-concessions.ts'
import { listJurisdictions } from './operations/list-jurisdictions.ts'
import { listReleases } from './operations/list-releases.ts'
import { listRules } from './operations/list-rules.ts'
import { solveTargetDriveAway } from './operations/solve-target-drive-away.ts'
import { createReports } from './reports/reports.ts'
import { routeReleaseKeys } from './receipt.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

export interface PricingServices extends AppServices, TokenRules {
  holder: Holder
  countUnpriced: CountUnpriced
  /** Requests that one client may make of this process in a minute; 0 or undefined: unlimited. */
  requestsPerMinute?: number
  /** Whom the rate explorer shows the rates; absent: there is no explorer. */
  explorer?: ExplorerAccess
  /** Milliseconds after which an open page of the explorer asks for newer rates; default one minute. */
  explorerFollowsMs?: number
  /** The full texts of notices; absent where none are kept. */
  noticePages?: Pick<NoticePages, 'find'>
  /** Returns the release keys of this moment; absent when nothing is signed. */
  releaseKeys?: () => ReleaseKeyRing
  /** The earlier releases of the environment; absent where none are kept. */
  keptReleases?: KeptReleases
  /** The archive of releases; absent where there is none. */
  archive?: ReleaseArchive
  /** Days for which a release is kept after the next one. */
  keepDays?: number
  /** Where a sample of the priced requests is written; absent: nowhere. */
  decisions?: DecisionLog
  registry?: Registry
  /** The contract when it has been read; by default it is read here. */
  contract?: Contract
}

const OPERATIONS = [
  // `current` before `{release}`: the first route that matches answers.
  ...[listReleases, getReleasesFeed, getCurrentRelease, getRelease],
  ...[createQuote, createQuoteBatch, solveTargetDriveAway],
  ...[listJurisdictions, listConcessions, listRules, listChanges, getChangesCalendar],
]

/** Reads the contract of pricing and compiles its validators. */
export const readPricingContract = (): Promise<Contract> =>
  readContract(new URL('openapi.yaml', import.meta.url), { missedLater: ['showroomCode'] })

/** Creates the pricing application: every operation of its contract, the token endpoint, and the contract itself. */
export async function createPricingApp(services: PricingServices): Promise<Koa> {
  const { holder, issuer, audience, clock } = services
  const contract = services.contract ?? (await readPricingContract())
  const router = createRouter()
  const releases = releasesOf(services)
  const begin = beginning(services, releases)
  for (const operation of OPERATIONS) routeOperation(router, contract, operation, begin)
  const tokenEndpoint = endpoint(issuer, '/oauth/token')
  const tokens = { issuer, audience, tokenEndpoint, replays: createReplayMemory(), clock }
  routeOAuth(router, { holder, issuer: tokens, audit: services.audit })
  routeReleaseKeys(router, services.releaseKeys ?? (() => NO_RELEASE_KEYS))
  routeSpecification(router, contract.document)
  routeReference(router)
  routeEntry(router, 'Driveaway pricing')
  routeNoticePage(router, services.noticePages)
  if (services.explorer) await routeExplorer(router, explorerServices(services, begin, releases))
  return createApp(router, services)
}

function releasesOf({ keptReleases: kept = NO_KEPT_RELEASES, archive, clock: now, log, registry }: PricingServices) {
  return createReleases({ kept, log, now, ...(archive && { archive }), ...(registry && { registry }) })
}

function explorerServices(services: PricingServices, begin: Begin<Dependencies>, releases: Releases) {
  const { holder, issuer, explorer, explorerFollowsMs: followEveryMs = 60_000 } = services
  const ratesForAll = () => {
    const { rates } = holder.read()
    if (!rates) throw notLoaded('The rates')
    return rates
  }
  const ratesForClients = async (ctx: Context) => (await begin(ctx)).rates
  const ratesFor = explorer === 'public' ? ratesForAll : ratesForClients
  return { label: new URL(issuer).host, ratesFor, releases, followEveryMs }
}

/** Authenticates the caller, counts the request, then takes the rates that answer: all of one moment. */
function beginning(services: PricingServices, releases: Releases): Begin<Dependencies> {
  const { holder, countUnpriced, clock, requestsPerMinute = 0, releaseKeys = () => NO_RELEASE_KEYS } = services
  const authenticate = createAuthenticate(services)
  const limit = requestsPerMinute > 0 ? createClientLimit(requestsPerMinute, clock) : undefined
  const reports = createReports(services)
  const { keepDays = 0, issuer, decisions = NO_DECISION_LOG } = services
  const bundles = createBundles({ releases, releaseKeys, clock })
  const ofReleases = { releases, keepDays, bundles, releaseKeys }
  const always = { ...ofReleases, issuer, countUnpriced, decisions, ...reports, clock }
  return (ctx) => {
    const { rates, clients, keys } = holder.read()
    if (!rates || !clients || !keys) throw notLoaded('The rates')
    const { snapshot } = rates
    const begun = (client: ClientBinding) => {
      limit?.(ctx, client.clientId)
      return { ...always, client, rates, snapshot }
    }
    const admitted = admit(ctx, { grant: PRICING_GRANT, authenticate, clients, keys })
    return admitted instanceof Promise ? admitted.then(begun) : begun(admitted)
  }
}
