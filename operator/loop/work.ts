import type { Clock } from '#runtime/clock.ts'
import type { Logger } from '#runtime/log.ts'
import type { Outcome } from '#runtime/kube/queue.ts'
import type { OperatorMetrics } from '../metrics.ts'
import { tellRelease, type ReleaseTeller } from '../notices/tell-release.ts'
import { publishRates, type RatesPublisher } from '../rate-set/publish.ts'
import { reconcileRateSet, type RateSetReconciler } from '../rate-set/reconcile.ts'
import { publishClients, type ClientsPublisher } from '../showroom-client/publish.ts'
import { reconcileClient, type ClientReconciler } from '../showroom-client/reconcile.ts'
import { reconcileSigningKeys, type KeyRotation } from '../signing-keys/reconcile.ts'

/** The keys of the work: one for each publication, for the signing keys, for notices, and for each object's status. */
export const PUBLISH_RATES = 'publish/rates'
export const PUBLISH_CLIENTS = 'publish/clients'
export const SIGNING_KEYS = 'signing-keys'
export const NOTICES = 'notices'
export const rateSetKey = (name: string) => `rate-set/${name}`
export const clientKey = (name: string) => `client/${name}`

/** What is published by itself, with an index of its own. */
export type PublishedKind = 'rates' | 'clients'

export interface Work {
  rates: RatesPublisher
  clients: ClientsPublisher
  rateSet: RateSetReconciler
  client: ClientReconciler
  keys: KeyRotation
  /** Where clients are told of changed rates. */
  notices?: ReleaseTeller
  metrics: OperatorMetrics
  log: Logger
  clock: Clock
  /** Asks for the statuses of one kind, and for the API processes' word: something was published. */
  published: (kind: PublishedKind, run: { isNew: boolean; seconds: number }) => void
  /** Told whether the next signing key waits for API processes. */
  keysWait: (isWaiting: boolean) => void
}

/** Deletions that a watch missed and shards that have grown old are found without an event. */
const AGAIN_MS = 300_000

/** Does the work of one key. */
export async function workOn(work: Work, key: string): Promise<Outcome> {
  if (key === PUBLISH_RATES) return publish(work, 'rates', () => publishRates(work.rates))
  if (key === PUBLISH_CLIENTS) return publish(work, 'clients', () => publishClients(work.clients))
  if (key === SIGNING_KEYS) return turnKeys(work)
  if (key === NOTICES) return work.notices && tellRelease(work.notices)
  const name = key.slice(key.indexOf('/') + 1)
  return key.startsWith('rate-set/') ? reconcileRateSet(work.rateSet, name) : reconcileClient(work.client, name)
}

async function publish(
  { metrics, log, clock, published }: Work,
  kind: PublishedKind,
  run: () => Promise<{ isNew: boolean; index: { sequence: number } }>,
): Promise<Outcome> {
  const startedAt = clock.elapsed()
  const { isNew, index } = await run()
  const seconds = (clock.elapsed() - startedAt) / 1000
  metrics.published(kind, { isNew, seconds, sequence: index.sequence })
  if (isNew) log.info({ kind, sequence: index.sequence, seconds }, 'published')
  published(kind, { isNew, seconds })
  return { after: AGAIN_MS }
}

async function turnKeys({ keys, keysWait, log }: Work): Promise<Outcome> {
  const { isNew, isWaiting, after } = await reconcileSigningKeys(keys)
  if (isNew) log.info('signing keys changed')
  keysWait(isWaiting)
  return { after }
}
