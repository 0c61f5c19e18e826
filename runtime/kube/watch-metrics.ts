import type { Logger } from '../log.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Collection } from './resource-path.ts'
import type { ProbeOutcome } from './watch-silence.ts'

export interface WatchMetrics {
  event(type: string): void
  /** Differences that a periodic relist found and the stream had not delivered. */
  missed(count: number): void
  failed(reason: string): void
  /** The result of probing a silent stream. */
  probed(outcome: ProbeOutcome): void
  /** Number of stored objects, and time of the last message from the server in seconds since the epoch. */
  seen(objects: number, atSeconds: number): void
}

/** Creates the metrics of one watch in `registry`, with the label `path`; several watches may share a registry. */
export function watchMetrics(registry: Registry | undefined, collection: Collection): WatchMetrics {
  const path = labelOf(collection)
  if (!registry) return { event: ignore, missed: ignore, failed: ignore, probed: ignore, seen: ignore }
  const counter = (name: string, help: string, label?: string) =>
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames: ['path', ...(label ? [label] : [])], registers: [registry] })
  const gauge = (name: string, help: string) =>
    (registry.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help, labelNames: ['path'], registers: [registry] })
  const events = counter('driveaway_kube_watch_events_total', 'Events received, by type.', 'type')
  const misses = counter('driveaway_kube_watch_misses_total', 'Differences found by a periodic relist.')
  const failures = counter('driveaway_kube_watch_failures_total', 'Lists and streams that failed, by reason.', 'reason')
  const objects = gauge('driveaway_kube_watch_objects', 'Objects held.')
  const probes = counter('driveaway_kube_watch_probes_total', 'Probes of a silent watch, by outcome.', 'outcome')
  const contact = gauge(
    'driveaway_kube_watch_last_contact_timestamp_seconds',
    'When the server last answered for the collection: a list, an event, a bookmark or a probe.',
  )
  misses.inc({ path }, 0)
  return {
    event: (type) => events.inc({ path, type }),
    missed: (count) => misses.inc({ path }, count),
    failed: (reason) => failures.inc({ path, reason }),
    probed: (outcome) => probes.inc({ path, outcome }),
    seen: (count, atSeconds) => {
      objects.set({ path }, count)
      contact.set({ path }, atSeconds)
    },
  }
}

/**
 * The label of a watch. It includes the selectors, because two watches of one process may follow two objects of one
 * path.
 */
function labelOf({ path, labelSelector, fieldSelector }: Collection): string {
  const selectors = [labelSelector, fieldSelector].filter(Boolean)
  return selectors.length > 0 ? `${path}?${selectors.join('&')}` : path
}

function ignore() {}

/** Counts and logs the changes that a relist found and the watch had missed. */
export function reportMissed(missed: readonly { key: string }[], metrics: WatchMetrics, log: Logger): void {
  if (missed.length === 0) return
  metrics.missed(missed.length)
  const keys = missed.slice(0, 10).map(({ key }) => key)
  log.warn({ keys, count: missed.length }, 'a relist found changes that the watch had missed')
}
