import type { Context, Middleware } from 'koa'
import type { ClientBinding } from '#rates/published/format.ts'
import { ApiError } from '../errors.ts'
import type { Holder } from '../load/held.ts'
import type { Authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'

/** What `requireClient` leaves in `ctx.state`. */
export interface Called {
  /** Who calls, as it is bound at this moment: verified, granted, not suspended. */
  client: ClientBinding
}

export interface ClientGate {
  holder: Holder
  authenticate: Authenticate
  /** Requests that anybody may make. */
  isOpen: (ctx: Context) => boolean
}

/**
 * Middleware that lets a request through with its client in `ctx.state.client`; throws `not_ready`, `not-authenticated`,
 * `UNAUTHENTICATED`, `INSUFFICIENT_SCOPE` or `USER_INACTIVE` before anything of the request is read.
 */
export function requireClient(grant: string, { holder, authenticate, isOpen }: ClientGate): Middleware {
  return async (ctx, next) => {
    if (isOpen(ctx)) return next()
    const { clients, keys } = holder.read()
    if (!clients || !keys) throw clientsNotReady()
    const known = authenticate(ctx.get('authorization'), keys)
    const claims = known instanceof Promise ? await known : known
    const called: Called = { client: authorize(claims, grant, clients) }
    Object.assign(ctx.state, called)
    return next()
  }
}

/** The refusal before clients and keys are loaded. */
export function clientsNotReady(): ApiError {
  const headers = { 'retry-after': '2' }
  return new ApiError('not_ready', 'Clients and keys are not loaded yet; try again.', { headers })
}
