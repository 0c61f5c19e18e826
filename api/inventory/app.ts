import { Router } from '@koa/router'
import type Koa from 'koa'
import { createAuthenticate, type TokenRules } from '../auth/authenticate.ts'
import { requireClient } from '../auth/require-client.ts'
import { createApp, routeSpecification, type AppServices } from '../http/app.ts'
import { readContract } from '../http/contract.ts'
import type { Holder } from '../load/held.ts'

/** The grant that every operation asks of its caller. */
export const INVENTORY_GRANT = 'inventory:write'

export interface InventoryServices extends AppServices, TokenRules {
  /** Clients and keys; rates are not looked at. */
  holder: Holder
}

/** The inventory application: what its contract names, to clients with the grant; `GET /spec` to anybody. */
export async function createInventoryApp(services: InventoryServices): Promise<Koa> {
  const { holder } = services
  const contract = await readContract(new URL('openapi.yaml', import.meta.url))
  const router = new Router()
  routeSpecification(router, contract.document)
  const isOpen = ({ method, path }: { method: string; path: string }) =>
    path === '/spec' && (method === 'GET' || method === 'HEAD')
  return createApp(
    router,
    services,
    requireClient(INVENTORY_GRANT, { holder, authenticate: createAuthenticate(services), isOpen }),
  )
}
