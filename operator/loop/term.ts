import { once } from 'node:events'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createQueue } from '#runtime/kube/queue.ts'
import type { Logger } from '#runtime/log.ts'
import { askLoaded, startLoadedPoller, type LoadedPoller } from '../api-processes/poller.ts'
import type { OperatorMetrics } from '../metrics.ts'
import type { Ledgers, TermParts } from './assemble.ts'
import { publishingPace } from './publishing-pace.ts'
import { router } from './route.ts'
import { statusTurns } from '../status/turns.ts'
import { NOTICES, PUBLISH_CLIENTS, PUBLISH_RATES, SIGNING_KEYS, workOn, type Work } from './work.ts'
import type { OnChange, Watches } from '../watches.ts'

const FIRST = [PUBLISH_RATES, PUBLISH_CLIENTS, SIGNING_KEYS, NOTICES]

export interface TermOptions {
  watches: Watches
  ledgers: Ledgers
  apiHealthUrls: () => readonly string[]
  concurrency: number
  /** Milliseconds from a release to its notices. */
  noticesAfterMs: number
  metrics: OperatorMetrics
  log: Logger
  clock?: Clock
  random?: () => number
  /** Asks one API process what it serves; by default over HTTP. */
  ask?: typeof askLoaded
  /** Puts the work together, once the poller and the routes are there. */
  work: (around: TermParts) => Work
  /** Sends changes here for as long as the term lasts. */
  listen: (onChange: OnChange | undefined) => void
}

/** Leads: does all work from the present state on, until the signal aborts. */
export async function serveTerm(options: TermOptions, signal: AbortSignal): Promise<void> {
  const { metrics, listen } = options
  const { queue, poller, onChange } = startTerm(options, signal)
  listen(onChange)
  metrics.leading(true)
  for (const key of FIRST) queue.add(key)
  if (!signal.aborted) await once(signal, 'abort')
  metrics.leading(false)
  listen(undefined)
  await Promise.all([poller.stop(), queue.stop()])
}

function startTerm(options: TermOptions, signal: AbortSignal) {
  const { watches, ledgers, apiHealthUrls, concurrency, metrics, log, work: assemble } = options
  const { clock = systemClock, random = Math.random, ask = askLoaded } = options
  const pace = publishingPace()
  let areKeysWaiting = true
  const work = assemble({
    signal,
    poller: () => poller,
    published: (kind, { isNew, seconds }) => {
      pace.took(kind, seconds)
      if (isNew) poller.hurry()
      turns.published(kind)
      if (isNew && kind === 'rates') queue.addAfter(NOTICES, options.noticesAfterMs)
    },
    keysWait: (isWaiting) => (areKeysWaiting = isWaiting),
  })
  const retry = { baseMs: 100, capMs: 5000 }
  const run = (key: string) => workOn(work, key)
  const naming = { name: 'operator', log, registry: metrics.registry }
  const queue = createQueue({ ...naming, concurrency, retry, run, clock, random })
  const isBehind = () => isAnyBehind(poller, ledgers)
  const answered = () => {
    queue.add(SIGNING_KEYS)
    turns.answered()
  }
  const isNew = () => areKeysWaiting || isBehind()
  const poller = startLoadedPoller({ urls: apiHealthUrls, ask, isNew, onChange: answered, clock })
  const turns = statusTurns({ queue, watches, processes: () => poller.processes(), isAnyBehind: isBehind })
  const route = router(queue, pace.debounceMs)
  const onChange: OnChange = (change) => (change.watched === 'endpointSlices' ? poller.hurry() : route(change))
  return { queue, poller, onChange }
}

function isAnyBehind(poller: LoadedPoller, { rates, clients }: Ledgers): boolean {
  return poller.processes().some(({ loaded, servesRates }) => {
    if (!loaded) return true
    return (
      (servesRates && loaded.release !== rates.release) || (loaded.clients?.sequence ?? -1) < (clients.sequence ?? 0)
    )
  })
}
