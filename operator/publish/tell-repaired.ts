import { Counter, type Registry } from 'prom-client'
import { CLIENTS_INDEX, RATES_INDEX, type PublishedKind } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'
import type { Announce } from '../status/events.ts'

export interface RepairedSurroundings {
  namespace: string
  announce: Announce
  log: Logger
  registry: Registry
}

const NAMES: Readonly<Record<PublishedKind, string>> = { rates: RATES_INDEX, clients: CLIENTS_INDEX }
const REPAIRED = 'the index was lost, replaced or behind its history: the operator restored its last known content'

/** Reports each repaired index: in the log, in a metric, and as an event of the index. */
export function repairedTeller({ namespace, announce, log, registry }: RepairedSurroundings) {
  const repairs = repairsCounter(registry)
  return (kind: PublishedKind, sequence: number): void => {
    repairs.inc({ kind })
    log.warn({ kind, sequence }, REPAIRED)
    const told = { type: 'Repaired', status: 'True', reason: 'IndexRepaired', message: REPAIRED } as const
    void announce({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAMES[kind], namespace } }, [
      { ...told, lastTransitionTime: '', observedGeneration: 0 },
    ])
  }
}

function repairsCounter(registry: Registry): Counter<'kind'> {
  const name = 'driveaway_index_repairs_total'
  const known = registry.getSingleMetric(name) as Counter<'kind'> | undefined
  if (known) return known
  const help = 'Times that an index was lost, replaced or behind its history, and was restored.'
  const counter = new Counter({ name, help, labelNames: ['kind'] as const, registers: [registry] })
  // A series that starts at its first repair would show no increase for it, so each starts at 0.
  for (const kind of Object.keys(NAMES) as PublishedKind[]) counter.inc({ kind }, 0)
  return counter
}
