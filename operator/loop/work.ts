import type { PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Requeue } from '#runtime/kube/queue.ts'
import type { Logger } from '#runtime/log.ts'
import type { OperatorMetrics } from './metrics.ts'
import type { ReleaseTeller } from '../notices/release-teller.ts'
import { addressNotices, tellRelease } from '../notices/tell-release.ts'
import type { RateSetRecord } from '../rate-set/ledger.ts'
import { publishRates, type RatesPublisher } from '../rate-set/publish.ts'
import { reconcileRateSet, type RateSetReconciler } from '../rate-set/reconcile.ts'
import { publishClients, type ClientsPublisher } from '../showroom-client/publish.ts'
import { reconcileClient, type ClientReconciler } from '../showroom-client/reconcile.ts'
import { reconcileSigningKeys, type KeyRotation } from '../signing-keys/reconcile.ts'
import { explainedAnew } from '../rate-set/explained.ts'
import { changedEntries, changedRecords, namesOf } from './changes.ts'
import { kindOf, NOTICES } from './keys.ts'
import type { Judged, Refusals } from './refusals.ts'

/** What the queues of one term use. */
export interface Work {
  rates: RatesPublisher
  clients: ClientsPublisher
  rateSet: RateSetReconciler
  client: ClientReconciler
  keys: KeyRotation
  /** The announcer of releases; undefined when notices are off. */
  notices?: ReleaseTeller
  refusals: Refusals
  /** Called when an index was lost, replaced or behind its history and has been published again. */
  onRepaired: (kind: PublishedKind, sequence: number) => void
  metrics: OperatorMetrics
  log: Logger
  clock: Clock
}

/** The result of one publication run. */
export interface PublicationRun {
  kind: PublishedKind
  /** Whether a new index was written. */
  isNew: boolean
  sequence: number
  seconds: number
  /** Names of the objects whose verdict, or its explanation, differs from the previous run. */
  judged: string[]
  /** Milliseconds until the run is due again. */
  afterMs: number
}

/** Finds, without an event, deletions that a watch missed and shards that are due for removal. */
const AGAIN_MS = 300_000
const UNTIDY_MS = 30_000

/** Publishes one kind, and logs what was published and what was refused. */
export async function publish(work: Work, key: string): Promise<PublicationRun> {
  const kind = kindOf(key)
  const { metrics, log, clock, refusals } = work
  const { ledger } = work[kind]
  const before = { records: new Map<string, object>(ledger.records), entries: entriesOf(work, kind) }
  const rateSets = new Map(kind === 'rates' ? work.rates.ledger.records : [])
  const startedAt = clock.elapsed()
  const run = await (kind === 'rates' ? publishRates(work.rates) : publishClients(work.clients)).catch(
    (error: unknown) => {
      metrics.failed(kind)
      throw error
    },
  )
  const { isNew, index } = run
  const seconds = (clock.elapsed() - startedAt) / 1000
  const { formatVersion } = index
  metrics.published(kind, { isNew, seconds, sequence: index.sequence, formatVersion })
  const changed = changedEntries(before.entries, entriesOf(work, kind))
  if (isNew) log.info({ kind, sequence: index.sequence, formatVersion, seconds, ...namesOf(changed) }, 'published')
  if (run.isRepaired) work.onRepaired(kind, index.sequence)
  refusals.tell(kind, judgedBy(work, kind))
  const changedNames = changedRecords(before.records, ledger.records)
  const judged = [...new Set([...changedNames, ...(kind === 'rates' ? explainedAnewBy(work, rateSets) : [])])]
  if (run.untidy) {
    metrics.untidy(kind)
    log.warn({ kind, err: run.untidy }, 'published, but old content could not be removed or marked; trying again')
  }
  // A part that became due during the run is due at once.
  const afterMs = Math.min(run.untidy ? UNTIDY_MS : AGAIN_MS, Math.max(run.afterMs ?? AGAIN_MS, 1))
  return { kind, isNew, sequence: index.sequence, seconds, judged, afterMs }
}

/** Names of the rate sets that wait for an import of which the records say something else than before the run. */
function explainedAnewBy({ rates, rateSet }: Work, before: ReadonlyMap<string, RateSetRecord>): string[] {
  return explainedAnew(before, rates.ledger.records, (name) => rateSet.object(name)?.spec)
}

function judgedBy({ rates, clients }: Work, kind: PublishedKind): Judged[] {
  if (kind === 'clients') return [...clients.ledger.records].map(([name, record]) => ({ name, ...record }))
  return [...rates.ledger.records].map(([name, { generation, verdict }]) => ({
    name,
    generation,
    reason: verdict.reason,
    faults: verdict.faults,
  }))
}

/** The published entry of each object, as far as the ledger knows; nothing before the first run. */
function entriesOf({ rates, clients }: Work, kind: PublishedKind): ReadonlyMap<string, unknown> | undefined {
  if (kind === 'clients') {
    const { sequence, records } = clients.ledger
    return sequence === undefined ? undefined : new Map([...records].map(([name, { binding }]) => [name, binding]))
  }
  const { sequence, published } = rates.ledger
  return sequence === undefined ? undefined : new Map(published.map(({ name, digest }) => [name, digest]))
}

/** Updates one status. */
export function reconcile({ rateSet, client }: Work, key: string): Promise<Requeue> {
  const name = key.slice(key.indexOf('/') + 1)
  return key.startsWith('rate-set/') ? reconcileRateSet(rateSet, name) : reconcileClient(client, name)
}

/**
 * Does one step of the signing keys or of the notices; `awaitKeys` is told whether a next key waits for API processes.
 */
export async function doChore(work: Work, key: string, awaitKeys: (isWaiting: boolean) => void): Promise<Requeue> {
  if (key === NOTICES) return work.notices && tellRelease(work.notices)
  if (key.startsWith(`${NOTICES}/`)) return work.notices && addressNotices(work.notices, key.slice(NOTICES.length + 1))
  const { isNew, isWaiting, after } = await reconcileSigningKeys(work.keys)
  if (isNew) work.log.info('signing keys changed')
  awaitKeys(isWaiting)
  return { after }
}
