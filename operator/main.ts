import { systemClock } from '#runtime/clock.ts'
import { startHealth } from '#runtime/health.ts'
import { KubeConfig } from '#runtime/kube/kube-config.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startLeaderElection } from '#runtime/kube/leader-election.ts'
import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { healthUrlsOf, startingUrlsOf } from './api-processes/addresses.ts'
import { showBackups } from './loop/backup-metric.ts'
import { promotionOf } from './attestation/from-configuration.ts'
import { readOperatorConfiguration } from './configuration.ts'
import { postOf } from './notices/from-configuration.ts'
import { operatorMetrics } from './loop/metrics.ts'
import { startCheckThread } from './rate-set/check-thread.ts'
import { emptyRatesLedger } from './rate-set/ledger.ts'
import { showRateSets } from './rate-set/metrics.ts'
import { assembleWork, eventLane } from './loop/assemble.ts'
import { emptyClientsLedger } from './showroom-client/ledger.ts'
import { serveTerm } from './loop/term.ts'
import { healthy, startWatches, stopWatches, synced, type OnChange } from './loop/watches.ts'

const configuration = readOperatorConfiguration(process.env)
const { namespace, concurrency } = configuration
const log = createLog({ name: 'operator', level: configuration.logLevel })
const kubeConfig = new KubeConfig()
if (configuration.kubeconfig) kubeConfig.loadFromFile(configuration.kubeconfig)
else kubeConfig.loadFromDefault()

const ledgers = { rates: emptyRatesLedger(), clients: emptyClientsLedger() }
const metrics = operatorMetrics(ledgers)
const promotion = await promotionOf(configuration, log, metrics.registry)
let listener: OnChange | undefined
const post = await postOf(configuration, { log, registry: metrics.registry })
const kube = kubeOf(kubeConfig)
const events = eventLane({ kube, log, clock: systemClock })
const { checkSeconds, checkMegabytes: megabytes } = configuration
const checks = startCheckThread({ deadlineMs: checkSeconds * 1000, megabytes, log })
const { announce } = events
const surroundings = { ...configuration, kube, log, registry: metrics.registry }
const watches = startWatches(surroundings, (change) => listener?.(change))
showRateSets(metrics.registry, () => watches.rateSets.objects.values())
showBackups(metrics.registry, { kube, namespace })
const apiHealthUrls = () => [
  ...configuration.apiHealthUrls,
  ...healthUrlsOf(watches.endpointSlices?.objects.values() ?? []),
]
const startingUrls = () => startingUrlsOf(watches.endpointSlices?.objects.values() ?? [])
const term = {
  watches,
  ledgers,
  apiHealthUrls,
  startingUrls,
  concurrency,
  metrics,
  log,
  work: (parts: Parameters<typeof assembleWork>[1]) =>
    assembleWork(
      { configuration, promotion, post, kube, announce, check: checks.check, watches, ledgers, metrics, log },
      parts,
    ),
  listen: (onChange: OnChange | undefined) => (listener = onChange),
}

const leaseMs = configuration.leaseSeconds * 1000
const health = await startHealth({
  host: configuration.healthHost,
  port: configuration.healthPort,
  registry: metrics.registry,
  ready: () => ({ ok: healthy(watches), body: { ready: healthy(watches), release: ledgers.rates.release ?? null } }),
})
log.info({ namespace, healthPort: health.port }, 'started')
await synced(watches)
const election = startLeaderElection({
  kube,
  namespace,
  log,
  name: configuration.leaseName,
  identity: configuration.identity,
  leaseMs,
  renewDeadlineMs: (leaseMs * 2) / 3,
  retryMs: leaseMs / 7.5,
  lead: (signal) => serveTerm(term, signal),
})
onShutdown(log, [
  { name: 'election', stop: () => election.stop() },
  { name: 'events', stop: () => events.end() },
  ...(post ? [{ name: 'post', stop: post.stop }] : []),
  { name: 'checks', stop: checks.stop },
  { name: 'watches', stop: () => stopWatches(watches) },
  { name: 'health', stop: () => health.close() },
])
