import type { Router } from '@koa/router'
import type Koa from 'koa'
import { createAuthenticate, type TokenRules } from '../auth/authenticate.ts'
import { endpoint } from '../auth/metadata.ts'
import { createReplayMemory } from '../auth/replay-memory.ts'
import { routeOAuth } from '../auth/routes.ts'
import { createApp, createRouter, routeSpecification } from '../http/app.ts'
import type { AppServices } from '../http/frame.ts'
import { readContract, type Contract } from '../http/contract.ts'
import { routeEntry } from '../http/entry.ts'
import { announcing } from '../http/retirement.ts'
import { routeReference } from '../http/reference.ts'
import type { Holder } from '../load/held.ts'
import { createClientLimit } from './client-limit.ts'
import type { Operation } from './operation.ts'
import { createQuoteBatch } from './operations/create-quote-batch.ts'
import { createQuote } from './operations/create-quote.ts'
import { listChanges } from './operations/list-changes.ts'
import { listConcessions } from './operations/list-concessions.ts'
import { listJurisdictions } from './operations/list-jurisdictions.ts'
import { listRules } from './operations/list-rules.ts'
import { solveTargetDriveAway } from './operations/solve-target-drive-away.ts'
import { createReports } from './reports/reports.ts'
import { runOperation, type OperationServices } from './run-operation.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

export interface PricingServices extends AppServices, TokenRules {
  holder: Holder
  countUnpriced: CountUnpriced
  /** Requests that one client may make of this process in a minute; 0 or undefined: as many as it likes. */
  requestsPerMinute?: number
}

/** The pricing application: every operation of its contract, the token endpoint, and the contract itself. */
export async function createPricingApp(services: PricingServices): Promise<Koa> {
  const { holder, issuer, audience, clock, countUnpriced, requestsPerMinute = 0 } = services
  const contract = await readContract(new URL('openapi.yaml', import.meta.url), { missedLater: ['showroomCode'] })
  const router = createRouter()
  const authenticate = createAuthenticate(services)
  const limit = requestsPerMinute > 0 ? createClientLimit(requestsPerMinute, clock) : undefined
  const reportOf = createReports(services)
  const quotes = [createQuote, createQuoteBatch, solveTargetDriveAway]
  for (const operation of [...quotes, listJurisdictions, listConcessions(clock), listRules, listChanges]) {
    routeOperation(router, operation, { contract, holder, authenticate, countUnpriced, reportOf, limit })
  }
  const tokenEndpoint = endpoint(issuer, '/oauth/token')
  const tokens = { issuer, audience, tokenEndpoint, replays: createReplayMemory(), clock }
  routeOAuth(router, { holder, issuer: tokens, audit: services.audit })
  routeSpecification(router, contract.document)
  routeReference(router)
  routeEntry(router, 'Driveaway pricing')
  return createApp(router, services)
}

function routeOperation(
  router: Router,
  operation: Operation,
  services: OperationServices & { contract: Contract },
): void {
  const { operationId } = operation
  const described = services.contract.operations.find((each) => each.operationId === operationId)
  if (!described) throw new Error(`the contract has no operation ${operationId}`)
  const run = announcing(described.retirement, runOperation(operation, described, services))
  router.register(described.path, [described.method], (ctx) => {
    ctx.state.operationId = operationId
    return run(ctx)
  })
}
