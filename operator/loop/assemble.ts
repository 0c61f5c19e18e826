import { clientsDecoder } from '#rates/published/decode-clients.ts'
import type { PublishedKind } from '#rates/published/format.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import { pace } from '#runtime/pace.ts'
import type { Promotion } from '../attestation/from-configuration.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Configuration } from '../configuration.ts'
import type { Announce } from '../status/events.ts'
import { formatToWrite } from '../api-processes/formats.ts'
import type { LoadedPoller } from '../api-processes/poller.ts'
import type { OperatorMetrics } from './metrics.ts'
import { releaseTeller } from './assemble-notices.ts'
import { RefusedAddresses } from '../notices/refused-addresses.ts'
import type { Post } from '../notices/from-configuration.ts'
import { freshnessOf } from './freshness.ts'
import type { CheckSet } from '../rate-set/checks.ts'
import { evaluator } from '../rate-set/evaluate.ts'
import type { RatesLedger } from '../rate-set/ledger.ts'
import { lostTeller } from '../rate-set/tell-lost.ts'
import type { RateSetStatus } from '../rate-set/object.ts'
import { releaseKeeper, type KeepRules } from '../publish/keep-release.ts'
import { repairedTeller } from '../publish/tell-repaired.ts'
import { clientSecrets } from '../secrets/client-secrets.ts'
import { remadeNoter, remadeTeller } from '../showroom-client/remade.ts'
import type { ClientsLedger } from '../showroom-client/ledger.ts'
import type { ShowroomClientStatus } from '../showroom-client/object.ts'
import { secretNamed, shardsOf, type Watches } from './watches.ts'
import { refusedKeyTeller } from '../signing-keys/tell-refused.ts'
import { refusalLog } from './refusals.ts'
import type { Revocations } from '../showroom-client/revocations.ts'
import type { Work } from './work.ts'
import { StatusWriter } from '../status/write-status.ts'

/** One for the whole process: `announce` of it is given to the work of each term. */
export { eventLane } from '../status/event-lane.ts'

/** The results of the last runs, for both kinds. */
export interface Ledgers {
  rates: RatesLedger
  clients: ClientsLedger
}

export interface WorkSurroundings {
  configuration: Configuration
  promotion: Promotion
  /** The connection to the notices; undefined when notices are off. */
  post: Post | undefined
  kube: Kube
  /** Events are written beside all other work, in an order that the terms of a process share. */
  announce: Announce
  /** Checks a rate set in the thread of the checks. */
  check: CheckSet
  clock?: Clock
  watches: Watches
  ledgers: Ledgers
  metrics: OperatorMetrics
  log: Logger
}

/** What the work of one term is built from. */
export interface TermParts {
  poller: LoadedPoller
  revocations: Revocations
  /** Whether a publication is running: statuses give way to it. */
  isPublishing: () => boolean
  /** Aborts when the term ends. */
  signal: AbortSignal
}

/** Builds the publishers and reconcilers of one term. */
export function assembleWork(surroundings: WorkSurroundings, { signal, ...parts }: TermParts): Work {
  const { configuration, kube, clock = systemClock, metrics, log, announce } = surroundings
  const now = () => clock.now()
  const refused = new RefusedAddresses()
  const { namespace, signingKeySeconds, signingKeyKeptSeconds } = configuration
  const options = { intervalMs: signingKeySeconds * 1000, keptMs: signingKeyKeptSeconds * 1000 }
  return {
    metrics,
    log,
    clock,
    refusals: refusalLog(log),
    onRepaired: repairedTeller({ namespace, announce, log, registry: metrics.registry }),
    ...publishers({ ...surroundings, clock }, { ...parts, now }),
    ...reconcilers(surroundings, { ...parts, now, clock, refused }),
    keys: {
      cluster: { kube, namespace },
      log,
      processes: () => parts.poller.processes(),
      now,
      options,
      onRefused: refusedKeyTeller({ namespace, announce, log, registry: metrics.registry }),
    },
    ...releaseTeller({ ...surroundings, now, refused }, signal),
  }
}

function publishers(
  surroundings: WorkSurroundings & { clock: Clock },
  { now, poller, revocations }: { now: () => Date } & Pick<TermParts, 'poller' | 'revocations'>,
): Pick<Work, 'rates' | 'clients'> {
  const { configuration, kube, metrics } = surroundings
  const freshness = freshnessOf({ ...surroundings, ...configuration, registry: metrics.registry })
  const publishing: Publishing = { cluster: { kube, namespace: configuration.namespace }, now, poller }
  return {
    rates: { ...ratesPublisher(surroundings, publishing), freshness: freshness.rates },
    clients: { ...clientsPublisher(surroundings, publishing), freshness: freshness.clients, revocations },
  }
}

/** What both publishers share. */
interface Publishing extends Pick<TermParts, 'poller'> {
  cluster: Cluster
  now: () => Date
}

function ratesPublisher(
  { configuration, promotion, watches, ledgers, log, check, clock, announce }: WorkSurroundings & { clock: Clock },
  { cluster, now, poller }: Publishing,
): Omit<Work['rates'], 'freshness'> {
  return {
    cluster,
    now,
    ledger: ledgers.rates,
    format: (present) => formatToWrite(present, poller.readers()),
    onInForce: inForce(poller, 'rates'),
    onLost: lostTeller({ namespace: cluster.namespace, announce, log }),
    ...keeping(cluster, configuration, { now, log }),
    ...(promotion.gate && { gate: promotion.gate }),
    objects: () => watches.rateSets.objects.values(),
    shards: () => shardsOf(watches, 'rates'),
    evaluate: evaluator(check, clock),
  }
}

function clientsPublisher(
  { configuration, kube, watches, ledgers, log, clock, announce }: WorkSurroundings & { clock: Clock },
  { cluster, now, poller }: Publishing,
): Omit<Work['clients'], 'freshness' | 'revocations'> {
  const { clientSecretsNamespace: namespace, issuer } = configuration
  return {
    cluster,
    now,
    ledger: ledgers.clients,
    format: (present) => formatToWrite(present, poller.readers()),
    onInForce: inForce(poller, 'clients'),
    onRemade: remadeTeller(announce),
    noteRemade: remadeNoter(log),
    secrets: clientSecrets({ kube, namespace }, (name) => secretNamed(watches, namespace, name), clock, log),
    issuer,
    decode: clientsDecoder(),
    objects: () => watches.clients.objects.values(),
    shards: () => shardsOf(watches, 'clients'),
  }
}

function keeping(
  cluster: Cluster,
  { releasesKeepDays: days, releasesKeepMegabytes: megabytes }: Configuration,
  told: Pick<KeepRules, 'now' | 'log'>,
) {
  return days > 0 && { keep: releaseKeeper(cluster, { days, megabytes, ...told }) }
}

/** From then on, statuses wait for the processes that run now. */
function inForce(poller: LoadedPoller, kind: PublishedKind) {
  return (index: { sequence: number }) => poller.published(kind, index)
}

interface Reconciling extends Pick<TermParts, 'poller' | 'isPublishing'> {
  now: () => Date
  clock: Clock
  refused: RefusedAddresses
}

function reconcilers(
  { configuration, promotion, kube, watches, ledgers, announce }: WorkSurroundings,
  { now, poller, isPublishing, clock, refused }: Reconciling,
): Pick<Work, 'rateSet' | 'client'> {
  const { namespace, statusWritesPerSecond } = configuration
  // One rate limit for both kinds, because it protects the API server.
  const writing = { kube, announce, turn: pace(statusWritesPerSecond, clock, isPublishing) }
  return {
    rateSet: {
      now,
      ledger: ledgers.rates,
      statuses: new StatusWriter<RateSetStatus>(writing),
      ...(promotion.attester && { attester: promotion.attester }),
      processes: () => poller.audience('rates'),
      object: (name) => watches.rateSets.objects.get(`${namespace}/${name}`),
    },
    client: {
      now,
      ledger: ledgers.clients,
      statuses: new StatusWriter<ShowroomClientStatus>(writing),
      refusedAddresses: (name) => refused.of(name),
      processes: () => poller.audience('clients'),
      object: (name) => watches.clients.objects.get(`${namespace}/${name}`),
    },
  }
}
