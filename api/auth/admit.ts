import type { Context } from 'koa'
import type { ClientBinding } from '#rates/published/format.ts'
import { ApiError } from '../errors.ts'
import type { HeldClients } from '../load/held.ts'
import type { Authenticate } from './authenticate.ts'
import { authorize, type Claims } from './authorize.ts'
import type { KeyRing } from './key-ring.ts'

/** What admission depends on: the grant, the authentication, the clients and the keys. */
export interface Admission {
  /** The grant that the caller needs. */
  grant: string
  authenticate: Authenticate
  clients: HeldClients
  keys: KeyRing
}

/**
 * Authenticates the caller, then authorizes it. Returns the client as it is bound now, and puts its id into `ctx.state`
 * for the log. Throws `not-authenticated`, `UNAUTHENTICATED`, `not_ready`, `INSUFFICIENT_SCOPE` or `USER_INACTIVE`
 * before anything else of the request is read. A token that was verified before is admitted at once, without a promise.
 */
export function admit(
  ctx: Context,
  { grant, authenticate, clients, keys }: Admission,
): ClientBinding | Promise<ClientBinding> {
  const bind = (claims: Claims): ClientBinding => {
    const client = authorize(claims, grant, clients)
    ctx.state.client = client
    return client
  }
  const claims = authenticate(ctx.req.headers.authorization ?? '', keys)
  return claims instanceof Promise ? claims.then(bind) : bind(claims)
}

/** The refusal of a request that arrives before everything it needs is loaded. */
export function notLoaded(what: 'The rates' | 'Clients and keys'): ApiError {
  return new ApiError('not_ready', `${what} are not loaded yet; try again.`, { headers: { 'retry-after': '2' } })
}
