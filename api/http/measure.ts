import type { Context } from 'koa'
import { Counter, type Registry } from 'prom-client'
import { Durations } from './durations.ts'

/** Counts an answered request and records its duration in milliseconds. */
export type Measured = (ctx: Context, ms: number) => void

/**
 * Counts requests by operation and status, and records their duration in seconds; status 499 is a client that
 * disconnected.
 */
export function measure(registry: Registry): Measured {
  const counts = new Map<string, Map<number, number>>()
  new Counter({
    name: 'driveaway_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
    // Counted here and written when the metrics are read: the library makes a text of the labels for each count.
    collect() {
      for (const [operation, byStatus] of counts) {
        for (const [status, count] of byStatus) this.inc({ operation, status }, count)
      }
      counts.clear()
    },
  })
  const durations = new Durations(registry)
  return (ctx, ms) => {
    // Callers can make up paths, so only operations of the contract become labels.
    const operation = (ctx.state.operationId as string | undefined) ?? 'none'
    const status = ctx.state.aborted ? 499 : ctx.res.statusCode
    countIn(counts, operation, status)
    durations.observeOf(operation, ms / 1000)
  }
}

function countIn(counts: Map<string, Map<number, number>>, operation: string, status: number): void {
  let byStatus = counts.get(operation)
  if (!byStatus) counts.set(operation, (byStatus = new Map<number, number>()))
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
}
