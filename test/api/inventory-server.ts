import { Registry } from 'prom-client'
import type { ExternalIssuers } from '../../api/auth/external-issuers.ts'
import { serve, type HttpServer } from '../../api/http/serve.ts'
import { createInventoryApp } from '../../api/inventory/app.ts'
import { createExaminer } from '../../api/inventory/examiner.ts'
import type { Holder } from '../../api/load/held.ts'
import type { InventoryStore } from '../../inventory/store.ts'
import type { Logger } from '../../runtime/log.ts'
import { appServices } from './app-services.ts'
import { AUDIENCE, ISSUER } from './pricing-server.ts'

/** The inventory application on a free port, with what a process of its own would hold; without a store unless given one. */
export async function startInventoryServer(
  holder: Holder,
  external?: ExternalIssuers,
  {
    store = () => undefined,
    registry = new Registry(),
    log,
  }: { store?: () => InventoryStore | undefined; registry?: Registry; log?: Logger } = {},
): Promise<HttpServer> {
  const services = { ...appServices(registry, log), holder }
  const tokens = { issuer: ISSUER, audience: AUDIENCE, external, clock: Date.now }
  const uploads = { store, examiner: createExaminer(services), rateLimit: { perMinute: 10_000, replicas: 1 } }
  const app = await createInventoryApp({ ...services, ...tokens, ...uploads })
  return serve(app, { host: '127.0.0.1', port: 0 })
}
