import { hostname } from 'node:os'
import { KubeConfig } from '@kubernetes/client-node'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { startHealth } from '#runtime/health.ts'
import type { Logger } from '#runtime/log.ts'
import { followNats } from '#runtime/nats/connection.ts'
import type { StopStep } from '#runtime/shutdown.ts'
import type { Configuration } from './configuration.ts'
import type { AppServices } from './http/app.ts'
import { measure } from './http/measure.ts'
import { serve } from './http/serve.ts'
import { createInventoryApp } from './inventory/app.ts'
import { startDirectorySource } from './load/directory-source.ts'
import { createHolder, type Holder } from './load/held.ts'
import { startKubernetesSource, type Source } from './load/kubernetes-source.ts'
import { countLoadFailures, showHeld } from './load/load-metrics.ts'
import { loadedReport, readiness } from './load/report.ts'
import { createPricingApp } from './pricing/app.ts'

/** One started part of the program. */
interface Part {
  name: string
  ready: () => { ok: boolean; body: object }
  stops: StopStep[]
}

interface Surroundings {
  configuration: Readonly<Configuration>
  log: Logger
  registry: Registry
  holder: Holder
  services: AppServices
}

/** Starts what SERVE names, and the health port; returns the steps that stop it, in order. */
export async function startApi(configuration: Readonly<Configuration>, log: Logger): Promise<StopStep[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const countFailure = countLoadFailures(registry)
  const holder = createHolder((part, error) => {
    countFailure(part)
    log.error({ err: error, part }, 'could not load; what was held stays')
  })
  const services = { log, measured: measure(registry) }
  const around = { configuration, log, registry, holder, services }
  const parts: Part[] = []
  if (configuration.serve !== 'inventory') parts.push(await startPricing(around))
  if (configuration.serve !== 'pricing') parts.push(await startInventory(around))
  const identity = { program: 'api', instance: `${hostname()}-${process.pid}` }
  const health = await startHealth({
    host: configuration.healthHost,
    port: configuration.healthPort,
    registry,
    ready: () => allReady(parts),
    routes: { '/loaded': () => loadedReport(holder, identity) },
  })
  log.info({ port: health.port }, 'health')
  return [...parts.flatMap(({ stops }) => stops), { name: 'health', stop: () => health.close() }]
}

function allReady(parts: readonly Part[]): { ok: boolean; body: object } {
  const answers = parts.map(({ name, ready }) => ({ name, ...ready() }))
  return { ok: answers.every(({ ok }) => ok), body: Object.fromEntries(answers.map(({ name, body }) => [name, body])) }
}

async function startPricing(around: Surroundings): Promise<Part> {
  const { configuration, log, registry, holder, services } = around
  const { host, pricingPort: port, issuer, audience } = configuration
  showHeld(registry, holder, Date.now)
  const source = await startSource(around)
  const app = await createPricingApp({ ...services, holder, issuer, audience, clock: Date.now })
  const served = await serve(app, { host, port })
  log.info({ url: served.url, source: configuration.ratesSource }, 'pricing')
  const stops = [
    { name: 'pricing', stop: () => served.close() },
    { name: 'source', stop: () => source.stop() },
  ]
  return { name: 'pricing', ready: () => readiness(holder), stops }
}

async function startInventory({ configuration, log, services }: Surroundings): Promise<Part> {
  const nats = followNats({ url: configuration.natsUrl, name: 'driveaway-inventory', log })
  const app = await createInventoryApp(services)
  const served = await serve(app, { host: configuration.host, port: configuration.inventoryPort })
  log.info({ url: served.url }, 'inventory')
  const stops = [
    { name: 'inventory', stop: () => served.close() },
    { name: 'nats', stop: () => nats.stop() },
  ]
  return { name: 'inventory', ready: () => nats.ready(), stops }
}

function startSource({ configuration, log, registry, holder }: Surroundings): Source | Promise<Source> {
  if (configuration.ratesSource === 'directory') {
    const { ratesDirectory: directory, clientsFile } = configuration
    return startDirectorySource({ directory, clientsFile: clientsFile || undefined, holder })
  }
  const kubeConfig = new KubeConfig()
  if (configuration.kubeconfig) kubeConfig.loadFromFile(configuration.kubeconfig)
  else kubeConfig.loadFromDefault()
  return startKubernetesSource({ kubeConfig, namespace: configuration.namespace, holder, log, registry })
}
