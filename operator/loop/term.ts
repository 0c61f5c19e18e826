import { once } from 'node:events'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createQueue, type Queue } from '#runtime/kube/queue.ts'
import type { Logger } from '#runtime/log.ts'
import { overHttp } from '../api-processes/ask.ts'
import { commonFormat } from '../api-processes/formats.ts'
import { createLoadedPoller, type ApiProcess, type LoadedPoller } from '../api-processes/poller.ts'
import type { OperatorMetrics } from './metrics.ts'
import { hasLoaded } from '../showroom-client/ledger.ts'
import type { OnChange, Watches } from './watches.ts'
import type { Ledgers, TermParts } from './assemble.ts'
import { dueStatuses, type DueStatuses } from './due-statuses.ts'
import { clientKey, kindOf, noticeCardKey, NOTICES, PUBLISH_CLIENTS, PUBLISH_RATES, SIGNING_KEYS } from './keys.ts'
import { WouldVanish } from '../rate-set/lost.ts'
import { failingPublications, type FailingPublications } from './failing.ts'
import { publishingPace } from './publishing-pace.ts'
import { createRevocations } from '../showroom-client/revocations.ts'
import { router } from './route.ts'
import { doChore, publish, reconcile, type Work } from './work.ts'

export interface TermOptions {
  watches: Watches
  ledgers: Ledgers
  apiHealthUrls: () => readonly string[]
  /** Addresses of the API processes that are not ready yet. */
  startingUrls?: () => readonly string[]
  /** Statuses that are reconciled at the same time. */
  concurrency: number
  metrics: OperatorMetrics
  log: Logger
  clock?: Clock
  random?: () => number
  /** Asks one API process what it serves; by default over HTTP. */
  ask?: ReturnType<typeof overHttp>
  /** Builds the work around the parts of the term. */
  work: (parts: TermParts) => Work
  /** Directs changes to this term for as long as it lasts. */
  listen: (onChange: OnChange | undefined) => void
}

/** Leads: does all work, starting from the current state, until the signal aborts. */
export async function serveTerm(options: TermOptions, signal: AbortSignal): Promise<void> {
  const { metrics, listen } = options
  const term = startTerm(options, signal)
  metrics.leading(true)
  if (!signal.aborted) await once(signal, 'abort')
  metrics.leading(false)
  listen(undefined)
  await term.stop()
}

/**
 * Built in order, each part from those above it, and connected last. Each lane has a queue of its own, so that no lane
 * waits for another: publications (both kinds at the same time), statuses (thousands, at a limited rate), and chores
 * (signing keys and notices).
 */
function startTerm(options: TermOptions, signal: AbortSignal) {
  const { watches, ledgers, apiHealthUrls, concurrency, metrics, log, clock = systemClock } = options
  const { random = Math.random, ask = overHttp(() => ledgers.rates) } = options
  const timing = { log, registry: metrics.registry, clock, random, retry: { baseMs: 100, capMs: 5000 } }

  const poller = createLoadedPoller({ urls: apiHealthUrls, startingUrls: options.startingUrls, ask, clock })
  const revocations = createRevocations()
  const running = { publications: 0 }
  const work = options.work({ signal, poller, revocations, isPublishing: () => running.publications > 0 })

  const statuses = createQueue({ ...timing, name: 'statuses', concurrency, run: (key) => reconcile(work, key) })
  const due = dueStatuses({ statuses, watches, attests: work.rateSet.attester !== undefined })

  const keys = { isWaiting: true, await: (isWaiting: boolean) => void (keys.isWaiting = isWaiting) }
  const chores = createQueue({
    ...timing,
    name: 'chores',
    concurrency: 2,
    run: chorer(work, statuses, keys.await),
  })

  const pace = publishingPace(clock)
  const failing = failingPublications({ ledgers, clock, onTold: due.unpublished })
  const publishOnce = publisher(work, { running, pace, chores, due, failing })
  const publications = createQueue({ ...timing, name: 'publications', concurrency: 2, run: publishOnce })
  const publishAll = () => [PUBLISH_CLIENTS, PUBLISH_RATES].forEach((key) => publications.add(key))
  const onClientChange = work.notices && ((name: string) => chores.add(noticeCardKey(name)))
  const told = { onRevocation: revocations.add, onClientChange, isOwnSecret: work.clients.secrets.isOwn }
  const route = router({ publications, statuses, chores, debounceMs: pace.debounceMs, watches, ledgers, ...told })

  options.listen((change) => (change.watched === 'endpointSlices' ? poller.hurry() : route(change)))
  publishAll()
  for (const key of [SIGNING_KEYS, NOTICES]) chores.add(key)
  poller.start({
    isCurrent: (process) => servesAll(process, ledgers),
    isAwaited: () => keys.isWaiting,
    onChange: onAnswers({ chores, poller, publishAll, answered: due.answered }),
  })
  return { stop: () => stopAll(poller, [publications, statuses, chores]) }
}

/** Runs one chore; afterwards the statuses of clients report its result. */
const chorer = (work: Work, statuses: Pick<Queue, 'add'>, awaitKeys: (isWaiting: boolean) => void) => {
  return async (key: string) => {
    const outcome = await doChore(work, key, awaitKeys)
    for (const name of work.notices?.refused.takeChanged() ?? []) statuses.add(clientKey(name))
    return outcome
  }
}

interface AroundRun {
  /** Number of publications in progress. */
  running: { publications: number }
  pace: Pick<ReturnType<typeof publishingPace>, 'began' | 'ended'>
  chores: Pick<Queue, 'add'>
  due: Pick<DueStatuses, 'judged'>
  failing: FailingPublications
}

/** Runs one publication and passes its result on. */
function publisher(work: Work, { running, pace, chores, due, failing }: AroundRun) {
  const told = (key: string) => (error: unknown) => {
    if (error instanceof WouldVanish) due.judged('rates', [...error.lost.keys()])
    failing.failed(kindOf(key), error)
    throw error
  }
  return async (key: string): Promise<{ after: number }> => {
    running.publications += 1
    pace.began(kindOf(key))
    const run = await publish(work, key)
      .catch(told(key))
      .finally(() => {
        running.publications -= 1
        pace.ended(kindOf(key))
      })
    const { kind, isNew, judged, afterMs } = run
    failing.succeeded(kind)
    if (isNew && kind === 'rates') chores.add(NOTICES)
    due.judged(kind, judged)
    return { after: afterMs }
  }
}

interface Answering {
  chores: Pick<Queue, 'add'>
  poller: LoadedPoller
  publishAll: () => void
  answered: () => void
}

/** What new answers of the API processes cause; everything is published again when they read a different format. */
function onAnswers({ chores, poller, publishAll, answered }: Answering): () => void {
  let common: number | undefined
  return () => {
    const before = common
    common = commonFormat(poller.readers()) ?? before
    chores.add(SIGNING_KEYS)
    if (common !== before) publishAll()
    answered()
  }
}

async function stopAll(poller: LoadedPoller, queues: { stop(): Promise<void> }[]): Promise<void> {
  await Promise.all([poller.stop(), ...queues.map((queue) => queue.stop())])
}

function servesAll({ loaded, servesRates }: ApiProcess, { rates, clients }: Ledgers): boolean {
  if (!loaded || (servesRates && loaded.release !== rates.release)) return false
  return clients.sequence === undefined || hasLoaded(loaded.clients, clients.sequence, clients)
}
