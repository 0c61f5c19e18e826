import { Counter, Gauge, type Registry } from 'prom-client'

export interface WatchMetrics {
  event(type: string): void
  /** Differences that a periodic relist found and the stream had not told. */
  missed(count: number): void
  failed(reason: string): void
  /** Objects held, and seconds since the epoch of the last word from the server. */
  seen(objects: number, atSeconds: number): void
}

/** Counts one watch's fate in `registry`, under the label `path`; several watches may share a registry. */
export function watchMetrics(registry: Registry | undefined, path: string): WatchMetrics {
  if (!registry) return { event: ignore, missed: ignore, failed: ignore, seen: ignore }
  const counter = (name: string, help: string, label?: string) =>
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames: ['path', ...(label ? [label] : [])], registers: [registry] })
  const gauge = (name: string, help: string) =>
    (registry.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help, labelNames: ['path'], registers: [registry] })
  const events = counter('kube_watch_events_total', 'Events received, by type.', 'type')
  const misses = counter('kube_watch_misses_total', 'Differences found by a periodic relist.')
  const failures = counter('kube_watch_failures_total', 'Lists and streams that failed, by reason.', 'reason')
  const objects = gauge('kube_watch_objects', 'Objects held.')
  const contact = gauge('kube_watch_last_contact_seconds', 'When the server was last heard, seconds since the epoch.')
  misses.inc({ path }, 0)
  return {
    event: (type) => events.inc({ path, type }),
    missed: (count) => misses.inc({ path }, count),
    failed: (reason) => failures.inc({ path, reason }),
    seen: (count, atSeconds) => {
      objects.set({ path }, count)
      contact.set({ path }, atSeconds)
    },
  }
}

function ignore() {}
