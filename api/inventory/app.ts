import type { Router } from '@koa/router'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import type { InventoryStore } from '#inventory/store.ts'
import { createAuthenticate, type TokenRules } from '../auth/authenticate.ts'
import { requireClient, type Called } from '../auth/require-client.ts'
import { createApp, createRouter, routeSpecification } from '../http/app.ts'
import type { AppServices } from '../http/frame.ts'
import { readContract, type ContractOperation } from '../http/contract.ts'
import { routeEntry } from '../http/entry.ts'
import { announcing } from '../http/retirement.ts'
import { routeReference } from '../http/reference.ts'
import type { Holder } from '../load/held.ts'
import { unreachable } from './accept-batch.ts'
import type { Operation } from './operation.ts'
import { createBatch } from './operations/create-batch.ts'
import { getJob } from './operations/get-job.ts'
import { createRateLimiter, limitRate, type RateLimit } from './rate-limit.ts'
import { withTokenAddress } from './token-address.ts'

/** The grant that every operation asks of its caller. */
export const INVENTORY_GRANT = 'inventory:write'

export interface InventoryServices extends AppServices, TokenRules {
  /** Clients and keys; rates are not looked at. */
  holder: Holder
  /** What uploads are kept in, while it can be reached. */
  store: () => InventoryStore | undefined
  rateLimit: RateLimit
}

const operations: Record<string, Operation> = { createBatch, getJob }

/** The inventory application: what its contract names, to clients with the grant; `GET /spec` and `/docs` to anybody. */
export async function createInventoryApp(services: InventoryServices): Promise<Koa> {
  const contract = await readContract(new URL('openapi.yaml', import.meta.url), { firstFaultOnly: true })
  const router = createRouter()
  routeSpecification(router, withTokenAddress(contract.document, services.issuer))
  routeReference(router)
  routeEntry(router, 'Driveaway inventory')
  for (const described of contract.operations) routeOperation(router, described, services)
  return createApp(router, services, gate(services))
}

function routeOperation(router: Router, described: ContractOperation, services: InventoryServices): void {
  const { operationId, path, method } = described
  const operation = operations[operationId]
  if (!operation) return
  const store = () => services.store() ?? refuse()
  const run = operation({ contract: described, store, log: services.log })
  const handle = announcing(described.retirement, (ctx) => run(ctx, (ctx.state as Called).client))
  router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], (ctx) => {
    ctx.state.operationId = operationId
    return handle(ctx)
  })
}

function refuse(): never {
  throw unreachable()
}

const OPEN_PATH = /^\/(|spec|docs|docs\/.*)$/
const isOpen = ({ method, path }: Context) => (method === 'GET' || method === 'HEAD') && OPEN_PATH.test(path)

/** Who calls first, then how often. */
function gate(services: InventoryServices): Middleware {
  const { holder, rateLimit, store, clock } = services
  const known = requireClient(INVENTORY_GRANT, { holder, authenticate: createAuthenticate(services), isOpen })
  const limiter = createRateLimiter(rateLimit, () => store()?.requestRates, clock)
  const limited = limitRate(limiter, rateLimit.perMinute)
  return (ctx, next) => known(ctx, () => limited(ctx, next) as Promise<void>)
}
