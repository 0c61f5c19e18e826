import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PublishedKind } from '#rates/published/format.ts'
import { showBuild } from '#runtime/build-info.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import type { ClientsLedger } from '../showroom-client/ledger.ts'
import type { RatesLedger } from '../rate-set/ledger.ts'

export interface PublicationFigures {
  isNew: boolean
  seconds: number
  sequence: number
  formatVersion: number
}

export interface OperatorMetrics {
  registry: Registry
  leading(isLeader: boolean): void
  /** A publication run of `kind` ended: its duration in seconds, and whether it created a new index. */
  published(kind: PublishedKind, run: PublicationFigures): void
  /** A publication run of `kind` failed. */
  failed(kind: PublishedKind): void
  /** A publication of `kind` is in force, but old objects could not be removed or marked. */
  untidy(kind: PublishedKind): void
}

/** The operator's metrics, including gauges over its ledgers. */
export function operatorMetrics(
  ledgers: { rates: RatesLedger; clients: ClientsLedger },
  clock: Clock = systemClock,
): OperatorMetrics {
  const registry = new Registry()
  showBuild(registry, 'operator')
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const leader = new Gauge({ name: 'driveaway_operator_leader', help: 'Whether this operator leads.', registers })
  const releases = releaseCounter(registry)
  const duration = durationHistogram(registry)
  const showIndex = indexGauges(registry)
  const completed = completions(registry, clock)
  ledgerGauges(registry, ledgers)
  return {
    registry,
    leading: (isLeader) => {
      leader.set(isLeader ? 1 : 0)
      completed.leading(isLeader)
    },
    published: (kind, run) => {
      if (run.isNew) releases.inc({ kind })
      showIndex(kind, run)
      completed.now(kind)
      duration.observe({ kind }, run.seconds)
    },
    failed: completed.failed,
    untidy: completed.untidy,
  }
}

const releaseCounter = (registry: Registry) =>
  new Counter({
    name: 'driveaway_publications_total',
    help: 'New indexes.',
    labelNames: ['kind'],
    registers: [registry],
  })

const durationHistogram = (registry: Registry) =>
  new Histogram({
    name: 'driveaway_publish_seconds',
    help: 'Seconds that a publication run took.',
    labelNames: ['kind'],
    registers: [registry],
    buckets: [0.01, 0.05, 0.2, 0.5, 1, 2, 5, 20, 60],
  })

/** Gauges read from the index in force. */
function indexGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['kind'] as const, registers: [registry] })
  const sequence = gauge('driveaway_published_sequence', 'Sequence number of the index.')
  const format = gauge('driveaway_published_format_version', 'Format version of the index.')
  return (kind: PublishedKind, run: PublicationFigures) => {
    sequence.set({ kind }, run.sequence)
    format.set({ kind }, run.formatVersion)
  }
}

/** Publication runs by outcome; unlike the time of the last success, the counters continue across leaders. */
function outcomeCounter(registry: Registry) {
  const counter = new Counter({
    name: 'driveaway_publication_runs_total',
    help: 'Publication runs by outcome.',
    registers: [registry],
    labelNames: ['kind', 'outcome'] as const,
  })
  // A series that starts at its first failure would show no increase for it, so each starts at 0.
  for (const kind of ['rates', 'clients'])
    for (const outcome of ['succeeded', 'failed', 'untidy']) counter.inc({ kind, outcome }, 0)
  return counter
}

/** When publication runs last succeeded, so that a run that never succeeds shows by its age. */
function completions(registry: Registry, clock: Clock) {
  const gauge = new Gauge({
    name: 'driveaway_publication_timestamp_seconds',
    help: 'When a publication run last succeeded, with or without a new index; or when this operator began to lead.',
    labelNames: ['kind'],
    registers: [registry],
  })
  const outcomes = outcomeCounter(registry)
  const now = (kind: PublishedKind) => gauge.set({ kind }, clock.now().getTime() / 1000)
  return {
    now: (kind: PublishedKind) => {
      outcomes.inc({ kind, outcome: 'succeeded' })
      now(kind)
    },
    failed: (kind: PublishedKind) => outcomes.inc({ kind, outcome: 'failed' }),
    untidy: (kind: PublishedKind) => outcomes.inc({ kind, outcome: 'untidy' }),
    leading: (isLeader: boolean) => {
      // An operator that no longer leads publishes nothing and reports nothing.
      gauge.reset()
      if (isLeader) for (const kind of ['rates', 'clients'] as const) now(kind)
    },
  }
}

function ledgerGauges(registry: Registry, { rates, clients }: { rates: RatesLedger; clients: ClientsLedger }): void {
  lostGauge(registry, { rates, clients })
  refusedGauge(registry, { rates, clients })
  new Gauge({
    name: 'driveaway_objects',
    help: 'Objects by kind, and whether their newest content is published.',
    labelNames: ['kind', 'ready'],
    registers: [registry],
    collect() {
      const faults = [...rates.records.values()].map(({ verdict }) => verdict.faults.length)
      const clientFaults = [...clients.records.values()].map((record) => record.faults.length)
      for (const [kind, counts] of [['RateSet', faults] as const, ['ShowroomClient', clientFaults] as const]) {
        this.set({ kind, ready: 'true' }, counts.filter((count) => count === 0).length)
        this.set({ kind, ready: 'false' }, counts.filter((count) => count > 0).length)
      }
    },
  })
}

function refusedGauge(registry: Registry, ledgers: { rates: RatesLedger; clients: ClientsLedger }): void {
  new Gauge({
    name: 'driveaway_refused_shards',
    help: 'Shards that the API server refused in the last publication run: their changes are not in force.',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      for (const kind of ['rates', 'clients'] as const) this.set({ kind }, ledgers[kind].refused?.size ?? 0)
    },
  })
}

function lostGauge(registry: Registry, { rates, clients }: { rates: RatesLedger; clients: ClientsLedger }): void {
  new Gauge({
    name: 'driveaway_lost_objects',
    help: 'Rate sets and clients whose published content is missing; API processes that have loaded the content keep serving it.',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.set({ kind: 'rates' }, rates.lost.size)
      this.set({ kind: 'clients' }, [...clients.records.values()].filter(({ isLost }) => isLost).length)
    },
  })
}
