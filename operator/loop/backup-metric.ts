import type { V1ConfigMap } from '@kubernetes/client-node'
import { Gauge, type Registry } from 'prom-client'
import { BACKUP_RECORD } from '#rates/published/format.ts'
import type { Kube } from '#runtime/kube/kube.ts'

/** Prometheus allows 10 s for a whole scrape. */
const READ_MS = 4_000

/**
 * Shows when the last backup of the cluster and of NATS was made; 0: never. Read at each scrape; absent when reading
 * fails.
 */
export function showBackups(registry: Registry, { kube, namespace }: { kube: Pick<Kube, 'get'>; namespace: string }): void {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: BACKUP_RECORD, namespace } }
  new Gauge({
    name: 'driveaway_backup_timestamp_seconds',
    help: 'When the last backup of the cluster, or of NATS, was taken; 0 if there was none.',
    labelNames: ['of'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      const record = await kube.get<V1ConfigMap>(reference, { timeoutMs: READ_MS }).catch(() => null)
      if (record === null) return
      for (const part of ['cluster', 'nats']) this.set({ of: part }, secondsOf(record?.data?.[part]))
    },
  })
}

/** A value that is not a time was written by hand and counts as no backup. */
function secondsOf(time: string | undefined): number {
  const milliseconds = Date.parse(time ?? '')
  return Number.isNaN(milliseconds) ? 0 : milliseconds / 1000
}
