import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import { todayIn } from '#runtime/today.ts'
import type { Configuration } from '../configuration.ts'
import { shardsOf, type Watches } from './watches.ts'
import type { Post } from '../notices/from-configuration.ts'
import type { RefusedAddresses } from '../notices/refused-addresses.ts'
import type { ReleaseTeller } from '../notices/release-teller.ts'

export interface TellerSurroundings {
  configuration: Configuration
  post: Post | undefined
  kube: Kube
  watches: Watches
  log: Logger
  now: () => Date
  refused: RefusedAddresses
}

/** Creates the announcer of one term, which ends with the signal; undefined when notices are off. */
export function releaseTeller(surroundings: TellerSurroundings, signal: AbortSignal): { notices?: ReleaseTeller } {
  const { configuration, post, kube, watches, log, now, refused } = surroundings
  if (!post) return {}
  const { namespace, environment } = configuration
  // The next leader reports who still waits.
  signal.addEventListener('abort', () => post.metrics.caughtUp())
  return {
    notices: {
      cluster: { kube, namespace },
      environment,
      signal,
      log,
      outbox: post.outbox,
      metrics: post.metrics,
      key: post.key,
      now,
      lastLook: { since: 0, lookedAt: 0, isAway: false },
      refused,
      settleMs: configuration.noticesSettleSeconds * 1000,
      holdAbove: configuration.noticesHoldAbove,
      client: (name) => watches.clients.objects.get(`${namespace}/${name}`),
      today: (timeZone) => todayIn(timeZone, now().getTime()),
      shards: () => shardsOf(watches, 'rates'),
      clients: () => watches.clients.objects.values(),
    },
  }
}
