import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import type { InventoryStore } from '#inventory/store.ts'
import { isPartMissing } from '#runtime/nats/jetstream-error.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { admit, notLoaded } from '../auth/admit.ts'
import { createAuthenticate, type TokenRules } from '../auth/authenticate.ts'
import { endpoint } from '../auth/metadata.ts'
import { ApiError } from '../errors.ts'
import { createApp, createRouter, routeSpecification } from '../http/app.ts'
import type { AppServices } from '../http/frame.ts'
import { readContract } from '../http/contract.ts'
import { routeEntry } from '../http/entry.ts'
import { routeOperation } from '../http/operation.ts'
import { answerLimit } from '../http/rate-fields.ts'
import { routeReference } from '../http/reference.ts'
import type { Holder } from '../load/held.ts'
import { unreachable } from './accept-batch.ts'
import type { Examiner } from './examiner.ts'
import { boundBytesInFlight } from './bytes-in-flight.ts'
import { createJobReads, type JobReads } from './job-reads.ts'
import { createBatch, LARGEST_BATCH } from './operations/create-batch.ts'
import { getJob } from './operations/get-job.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'

/** The grant that every operation asks of its caller. */
export const INVENTORY_GRANT = 'inventory:write'

export interface InventoryServices extends AppServices, TokenRules {
  /** Holds clients and keys; rates are not used. */
  holder: Holder
  /** The store of uploads, while it is reachable. */
  store: () => InventoryStore | undefined
  /** Called after a request that the store did not serve because part of it is missing. */
  storeFailed?: () => void
  examiner: Examiner
  rateLimit: RateLimit
}

/**
 * Creates the inventory application: the operations of its contract for clients with the grant, and `GET /spec` and
 * `/docs` for anybody.
 */
export async function createInventoryApp(services: InventoryServices): Promise<Koa> {
  const contract = await readContract(new URL('openapi.yaml', import.meta.url), { firstFaultOnly: true })
  const router = createRouter()
  routeSpecification(router, withTokenAddress(contract.document, services.issuer))
  routeReference(router)
  routeEntry(router, 'Driveaway inventory')
  const { log, examiner } = services
  const store = () => services.store() ?? refuse()
  const client = (ctx: Context) => ctx.state.client as ClientBinding
  const holdBytes = boundBytesInFlight(LARGEST_BATCH)
  const reads = createJobReads()
  const readsOf = (ctx: Context) => reads(ctx.res, client(ctx).clientId)
  routeOperation(router, contract, createBatch, async (ctx) => {
    const opened = readingInTurn(store(), readsOf(ctx))
    holdBytes(ctx, client(ctx).clientId)
    return { client: client(ctx), store: opened, log, examiner }
  })
  routeOperation(router, contract, getJob, async (ctx) => ({ client: client(ctx), store, reads: readsOf(ctx) }))
  return createApp(router, services, gate(services))
}

/** An upload with a known key reads the job of the earlier one, which can be very much longer than the upload. */
function readingInTurn(store: InventoryStore, reads: JobReads): InventoryStore {
  const { jobs } = store
  return { ...store, jobs: { ...jobs, read: (clientId, id) => reads.inTurn(() => jobs.read(clientId, id)) } }
}

interface Secured {
  components: { securitySchemes: { clientCredentials: { flows: { clientCredentials: { tokenUrl: string } } } } }
}

/** The contract, naming the token endpoint of `issuer`: the pricing API serves that endpoint, not this application. */
function withTokenAddress(document: object, issuer: string): object {
  const copy = structuredClone(document) as Secured
  copy.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl = endpoint(issuer, '/oauth/token')
  return copy
}

function refuse(): never {
  throw unreachable()
}

const OPEN_PATH = /^\/(|spec|docs|docs\/.*)$/
const isOpen = ({ method, path }: Context) => (method === 'GET' || method === 'HEAD') && OPEN_PATH.test(path)

/**
 * Authenticates the caller, then counts the request. Runs before every route, so that only an authenticated caller
 * learns which paths exist.
 */
function gate(services: InventoryServices): Middleware {
  const { holder, rateLimit, store, storeFailed, clock } = services
  const authenticate = createAuthenticate(services)
  const suspect = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_ready' && isPartMissing(error.cause)) storeFailed?.()
    throw error
  }
  const limiter = createRateLimiter(rateLimit, () => store()?.requestRates, clock)
  return async (ctx, next) => {
    if (isOpen(ctx)) return next()
    const { clients, keys } = holder.read()
    if (!clients || !keys) throw notLoaded('Clients and keys')
    const { clientId } = await admit(ctx, { grant: INVENTORY_GRANT, authenticate, clients, keys })
    answerLimit(ctx, 'too_many_requests', rateLimit.perMinute, await limiter(clientId))
    return next().catch(suspect)
  }
}
