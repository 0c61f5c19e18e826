import { Router } from '@koa/router'
import type Koa from 'koa'
import { createApp, routeSpecification, type AppServices } from '../http/app.ts'
import { readContract } from '../http/contract.ts'

/** The inventory application: what its contract names. */
export async function createInventoryApp(services: AppServices): Promise<Koa> {
  const contract = await readContract(new URL('openapi.yaml', import.meta.url))
  const router = new Router()
  routeSpecification(router, contract.document)
  return createApp(router, services)
}
