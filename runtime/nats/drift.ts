import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts what of a storage was not as declared. */
export interface DriftMetrics {
  /** Settings that were changed back. */
  changed(settings: number): void
  /** Consumers that nobody declared, now. */
  undeclared(consumers: number): void
}

/** Shows what of the storage in NATS somebody has changed. Only the owner of a storage sees it. */
export function driftMetrics(registry: Registry): DriftMetrics {
  const changed = new Counter({
    name: 'driveaway_storage_settings_changed_total',
    help: 'Settings of streams and consumers in NATS that differed from their declaration and were changed back.',
    registers: [registry],
  })
  const undeclared = new Gauge({
    name: 'driveaway_storage_undeclared_consumers',
    help: 'Consumers of the stream of batches that no worker made.',
    registers: [registry],
  })
  return { changed: (settings) => changed.inc(settings), undeclared: (consumers) => undeclared.set(consumers) }
}
