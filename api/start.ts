import { hostname } from 'node:os'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { storageSettings } from '#inventory/storage-settings.ts'
import { showInventory, showPromised } from '#inventory/stored-metrics.ts'
import { followInventory } from '#inventory/store.ts'
import { KNOWN_RELEASE } from '#rates/published/format.ts'
import { showBuild } from '#runtime/build-info.ts'
import { startHealth } from '#runtime/health.ts'
import type { Logger } from '#runtime/log.ts'
import { natsAccess } from '#runtime/nats/settings.ts'
import type { StopStep } from '#runtime/shutdown.ts'
import { startTracing } from '#runtime/tracing/settings.ts'
import type { TokenRules } from './auth/authenticate.ts'
import { followExternalIssuers } from './auth/external-issuers.ts'
import type { Configuration } from './configuration.ts'
import { decisionsOf } from './decisions/start.ts'
import { createAudit } from './http/audit.ts'
import type { AppServices } from './http/frame.ts'
import { measure } from './http/measure.ts'
import { serve } from './http/serve.ts'
import { createInventoryApp } from './inventory/app.ts'
import { createExaminer } from './inventory/examiner.ts'
import { followReleaseKeys } from './load/follow-release-keys.ts'
import { ALL_PARTS, CALLER_PARTS, createHolder, type Holder } from './load/held.ts'
import type { Source } from './load/source.ts'
import { countLoadFailures, showHeld } from './load/load-metrics.ts'
import { loadedReport, readiness } from './load/report.ts'
import { withoutKnown } from './load/without-known.ts'
import { followArchive } from './releases/archive.ts'
import { createPricingApp, readPricingContract } from './pricing/app.ts'
import { countUnpriced } from './pricing/unpriced-metric.ts'
import { startWarmUp } from './pricing/warm-up.ts'
import { startSource } from './start-source.ts'

/** One part of the program that has started. */
interface Part {
  name: string
  ready: () => { ok: boolean; body: object }
  /** Stops the server of this part. */
  leave: () => Promise<void>
  /** What its requests use; stopped after all servers. */
  stops: StopStep[]
}

interface Surroundings {
  configuration: Readonly<Configuration>
  log: Logger
  registry: Registry
  holder: Holder
  services: AppServices & TokenRules & { holder: Holder }
}

/** Starts the parts that SERVE names, and the health port; returns the steps that stop them, in order. */
export async function startApi(configuration: Readonly<Configuration>, log: Logger): Promise<StopStep[]> {
  const surroundings = await surround(configuration, log)
  const { registry, holder, external, tracing } = surroundings
  const loads = configuration.serve === 'inventory' ? CALLER_PARTS : ALL_PARTS
  const source = await startSource(surroundings, loads)
  const parts: Part[] = []
  if (configuration.serve !== 'inventory') parts.push(await startPricing(surroundings, source))
  if (configuration.serve !== 'pricing') parts.push(await startInventory(surroundings))
  const identity = {
    program: 'api',
    instance: `${hostname()}-${process.pid}`,
    parts: loads,
    lastContact: source.lastContact,
  }
  const health = await startHealth({
    host: configuration.healthHost,
    port: configuration.healthPort,
    registry,
    ready: () => allReady(parts),
    routes: { '/loaded': (headers) => withoutKnown(loadedReport(holder, identity), headers[KNOWN_RELEASE]) },
  })
  log.info({ port: health.port }, 'health')
  return [
    // All at once, because each may take its whole drain.
    { name: 'servers', stop: async () => void (await Promise.all(parts.map(({ leave }) => leave()))) },
    ...parts.flatMap(({ stops }) => stops),
    { name: 'source', stop: () => source.stop() },
    { name: 'issuers', stop: () => external.stop() },
    ...(tracing ? [{ name: 'traces', stop: tracing.stop }] : []),
    { name: 'health', stop: () => health.close() },
  ]
}

/** Creates what all parts share. */
async function surround(configuration: Readonly<Configuration>, log: Logger) {
  const registry = registryOf(configuration)
  const holder = observedHolder(log, registry)
  const external = followExternalIssuers(configuration.externalIssuers, { log, registry })
  const service = serviceOf(configuration)
  const tracing = await startTracing(configuration, { service, followsCaller: false, log })
  const { issuer, audience, proxyHops } = configuration
  const common = { log, tracing, measured: measure(registry), audit: createAudit(log, registry), proxyHops }
  const services = { ...common, holder, issuer, audience, external, clock: Date.now }
  return { configuration, log, registry, holder, external, tracing, services }
}

const serviceOf = ({ serve }: Configuration): string => (serve === 'both' ? 'api' : serve)

function registryOf(configuration: Configuration): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  showBuild(registry, serviceOf(configuration))
  return registry
}

function observedHolder(log: Logger, registry: Registry): Holder {
  const countFailure = countLoadFailures(registry)
  const holder = createHolder((part, error) => {
    countFailure(part)
    log.error({ err: error, part }, 'load failed; keeping the previous version')
  })
  showHeld(registry, holder, Date.now)
  return holder
}

function allReady(parts: readonly Part[]): { ok: boolean; body: object } {
  const answers = parts.map(({ name, ready }) => ({ name, ...ready() }))
  return { ok: answers.every(({ ok }) => ok), body: Object.fromEntries(answers.map(({ name, body }) => [name, body])) }
}

async function startPricing(
  { configuration, log, registry, holder, services }: Surroundings,
  { noticePages, keptReleases }: Source,
): Promise<Part> {
  const { host, pricingPort: port, drainSeconds, pricingRequestsPerMinute: requestsPerMinute } = configuration
  const { releaseKeyFile: keyFile, releaseKeysFile: keysFile, explorer } = configuration
  const releaseKeys = await followReleaseKeys({ keyFile, keysFile, log })
  const decisions = decisionsOf(configuration, { log, registry, clock: Date.now })
  const { releasesArchive: folder } = configuration
  const archive = folder ? followArchive({ folder, trusted: releaseKeys.read, log, registry }) : undefined
  const own = {
    ...(explorer !== 'off' && { explorer }),
    countUnpriced: countUnpriced(registry),
    requestsPerMinute,
    releaseKeys: releaseKeys.read,
    ...{ registry, decisions, keepDays: configuration.releasesKeepDays },
    ...(noticePages && { noticePages }),
    ...(keptReleases && { keptReleases }),
    ...(archive && { archive }),
  }
  const contract = await readPricingContract()
  const app = await createPricingApp({ ...services, ...own, contract })
  const warmUp = startWarmUp({ holder, contract, log })
  const served = await serve(app, { host, port, drainMs: drainSeconds * 1000, log })
  log.info({ url: served.url, source: configuration.ratesSource }, 'pricing')
  const stops = [
    { name: 'warm-up', stop: () => warmUp.stop() },
    { name: 'archive', stop: async () => archive?.stop() },
    { name: 'release keys', stop: async () => releaseKeys.stop() },
    { name: 'decisions', stop: () => decisions.stop() },
  ]
  const ready = () => readiness(holder, ALL_PARTS, warmUp.isOver())
  return { name: 'pricing', ready, leave: () => served.close(), stops }
}

async function startInventory({ configuration, log, registry, holder, services }: Surroundings): Promise<Part> {
  const { requestsPerMinute: perMinute, inventoryReplicas: replicas } = configuration
  const nats = followInventory({
    ...natsAccess(configuration),
    name: 'driveaway-inventory',
    role: 'user',
    log,
    storage: storageSettings(configuration),
  })
  showInventory(registry, () => nats.store())
  showPromised(registry, () => nats.store())
  const rateLimit = { perMinute, replicas }
  const examiner = createExaminer({ log })
  await examiner.warm()
  const stored = { store: () => nats.store(), storeFailed: () => nats.suspect() }
  const app = await createInventoryApp({ ...services, ...stored, examiner, rateLimit })
  const { host, inventoryPort: port, drainSeconds } = configuration
  const served = await serve(app, { host, port, drainMs: drainSeconds * 1000, log })
  log.info({ url: served.url }, 'inventory')
  const ready = () => bothReady(nats.ready(), readiness(holder, CALLER_PARTS))
  const stops = [
    { name: 'examiner', stop: () => examiner.stop() },
    { name: 'nats', stop: () => nats.stop() },
  ]
  return { name: 'inventory', ready, leave: () => served.close(), stops }
}

function bothReady(one: { ok: boolean; body: object }, other: { ok: boolean; body: object }) {
  return { ok: one.ok && other.ok, body: { ...other.body, ...one.body, ready: one.ok && other.ok } }
}
