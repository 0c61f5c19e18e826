import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export interface QueueMetrics {
  depth(waiting: number): void
  ran(isDone: boolean, seconds: number): void
}

/** Creates the metrics of one queue in `registry`, with the label `queue`; several queues may share a registry. */
export function queueMetrics(registry: Registry | undefined, queue: string): QueueMetrics {
  if (!registry) return { depth: () => undefined, ran: () => undefined }
  const depth =
    (registry.getSingleMetric('driveaway_kube_queue_depth') as Gauge | undefined) ??
    new Gauge({
      name: 'driveaway_kube_queue_depth',
      help: 'Keys waiting.',
      labelNames: ['queue'],
      registers: [registry],
    })
  const runs =
    (registry.getSingleMetric('driveaway_kube_queue_runs_total') as Counter | undefined) ??
    new Counter({
      name: 'driveaway_kube_queue_runs_total',
      help: 'Runs of a key, by outcome.',
      labelNames: ['queue', 'outcome'],
      registers: [registry],
    })
  const duration =
    (registry.getSingleMetric('driveaway_kube_queue_run_seconds') as Histogram | undefined) ??
    new Histogram({
      name: 'driveaway_kube_queue_run_seconds',
      help: 'Seconds that a run took.',
      labelNames: ['queue'],
      registers: [registry],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    })
  return {
    depth: (waiting) => depth.set({ queue }, waiting),
    ran: (isDone, seconds) => {
      runs.inc({ queue, outcome: isDone ? 'done' : 'failed' })
      duration.observe({ queue }, seconds)
    },
  }
}
