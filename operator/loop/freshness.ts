import { Counter, type Registry } from 'prom-client'
import { CLIENTS_INDEX, RATES_INDEX, type PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Logger } from '#runtime/log.ts'
import type { Announce } from '../status/events.ts'
import { collectionsOf, type Watches } from './watches.ts'
import type { Freshness, Restored, Source } from '../publish/sources.ts'

export interface FreshnessSurroundings {
  clock: Clock
  namespace: string
  clientSecretsNamespace: string
  watches: Watches
  registry: Registry
  announce: Announce
  log: Logger
}

/** What each publication checks before it writes, and what to do when the server turns out to have been restored. */
export function freshnessOf(surroundings: FreshnessSurroundings): Record<PublishedKind, Omit<Freshness, 'kube'>> {
  const { clock, log } = surroundings
  const counters = freshnessMetrics(surroundings.registry)
  const onStale = (source: string) => {
    counters.stale(source)
    log.warn({ source }, 'the cache is behind the API server; listing again before anything is published')
  }
  const common = { onStale, sleep: (ms: number) => clock.sleep(ms) }
  const restored = (index: string) => async (found: Restored) => {
    counters.restored(found.source)
    await tellRestored(surroundings, index, found)
  }
  const { rates, clients } = sourcesOf(surroundings)
  return {
    rates: { ...common, sources: rates, onRestored: restored(RATES_INDEX) },
    clients: { ...common, sources: clients, onRestored: restored(CLIENTS_INDEX) },
  }
}

/** The watches that each index is computed from. */
function sourcesOf({ watches, namespace, clientSecretsNamespace }: FreshnessSurroundings) {
  const collections = collectionsOf(namespace, clientSecretsNamespace)
  const source = (name: string, watched: 'rateSets' | 'clients' | 'clientSecrets'): Source => {
    const { resourceVersion, setBack, relist } = watches[watched]
    return { name, collection: collections[watched], resourceVersion, setBack, relist }
  }
  return {
    rates: [source('ratesets', 'rateSets')],
    clients: [source('showroomclients', 'clients'), source('secrets', 'clientSecrets')],
  }
}

/**
 * Reports the restore where people look and lists everything again, because no known version is meaningful any more.
 */
async function tellRestored(
  { namespace, watches, announce, log }: FreshnessSurroundings,
  index: string,
  found: Restored,
) {
  const { source, known, server } = found
  const message = `the API server has ${source} only up to version ${server}, but this operator has seen version ${known}: the API server was restored from a backup. The operator lists everything again; apply the changes since the backup again`
  log.error({ source, known, server }, message)
  const told = { type: 'Restored', status: 'True', reason: 'ServerRestored', message } as const
  const at = { lastTransitionTime: '', observedGeneration: 0 }
  void announce({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: index, namespace } }, [{ ...told, ...at }])
  const all = [watches.rateSets, watches.clients, watches.clientSecrets, watches.published, watches.endpointSlices]
  await Promise.all(all.map((watch) => watch?.relist()))
  for (const watch of all) watch?.forgetSetBack()
}

function freshnessMetrics(registry: Registry) {
  const counter = (name: string, help: string) =>
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames: ['source'], registers: [registry] })
  const stale = counter(
    'driveaway_stale_caches_total',
    'Times that a cache was behind the API server before a publication.',
  )
  const restored = counter(
    'driveaway_server_restored_total',
    'Times that the API server had older objects than the operator had seen.',
  )
  return {
    stale: (source: string) => stale.inc({ source }),
    restored: (source: string) => restored.inc({ source }),
  }
}
