import { once } from 'node:events'
import { createQueue, type Queue } from '#runtime/kube/queue.ts'
import type { Logger } from '#runtime/log.ts'
import { askLoaded, startLoadedPoller, type LoadedPoller } from './loaded.ts'
import type { OperatorMetrics } from './metrics.ts'
import type { Ledgers } from './reconcilers.ts'
import { clientKey, PUBLISH_CLIENTS, PUBLISH_RATES, rateSetKey, SIGNING_KEYS, workOn, type Work } from './work.ts'
import { router } from './route.ts'
import type { OnChange, Watches } from './watches.ts'

/** Milliseconds that changes are gathered before a publication: an applied folder is one release, not thirty. */
const DEBOUNCE_MS = 50

const FIRST = [PUBLISH_RATES, PUBLISH_CLIENTS, SIGNING_KEYS]

export interface TermOptions {
  watches: Watches
  ledgers: Ledgers
  apiHealthUrls: () => readonly string[]
  concurrency: number
  metrics: OperatorMetrics
  log: Logger
  /** Puts the work together, once the poller and the routes are there. */
  work: (around: Pick<Work, 'published' | 'keysWait'> & { poller: () => LoadedPoller }) => Work
  /** Sends changes here for as long as the term lasts. */
  listen: (onChange: OnChange | undefined) => void
}

/** Leads: does all work from the present state on, until the signal aborts. */
export async function serveTerm(options: TermOptions, signal: AbortSignal): Promise<void> {
  const { watches, ledgers, metrics, log, listen } = options
  let areKeysWaiting = true
  const work = options.work({
    poller: () => poller,
    published: (kind, isNew) => {
      if (isNew) poller.hurry()
      addStatuses(queue, watches, kind)
    },
    keysWait: (isWaiting) => {
      areKeysWaiting = isWaiting
    },
  })
  const queue = createQueue({
    ...{ name: 'operator', log, concurrency: options.concurrency, registry: metrics.registry },
    retry: { baseMs: 100, capMs: 5000 },
    run: (key) => workOn(work, key),
  })
  const poller = startLoadedPoller({
    urls: options.apiHealthUrls,
    ask: askLoaded,
    isNew: () => areKeysWaiting || isAnyBehind(poller, ledgers),
    onChange: () => addAll(queue, watches),
  })
  const route = router(queue, DEBOUNCE_MS)
  listen((change) => (change.watched === 'endpointSlices' ? poller.hurry() : route(change)))
  metrics.leading(true)
  for (const key of FIRST) queue.add(key)
  if (!signal.aborted) await once(signal, 'abort')
  metrics.leading(false)
  listen(undefined)
  await Promise.all([poller.stop(), queue.stop()])
}

function addAll(queue: Queue, watches: Watches): void {
  queue.add(SIGNING_KEYS)
  addStatuses(queue, watches, 'rates')
  addStatuses(queue, watches, 'clients')
}

function addStatuses(queue: Queue, { rateSets, clients }: Watches, kind: 'rates' | 'clients'): void {
  const keyOf = kind === 'rates' ? rateSetKey : clientKey
  for (const { metadata } of (kind === 'rates' ? rateSets : clients).objects.values()) queue.add(keyOf(metadata.name))
}

function isAnyBehind(poller: LoadedPoller, { rates, clients }: Ledgers): boolean {
  return poller.processes().some(({ loaded, servesRates }) => {
    if (!loaded) return true
    return (
      (servesRates && loaded.release !== rates.release) || (loaded.clients?.sequence ?? -1) < (clients.sequence ?? 0)
    )
  })
}
