import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Announcement, Outbox } from '#notices/outbox.ts'
import { recipientOf } from '#notices/recipient.ts'
import { noticesOf, type Published, type Telling } from '#notices/tell.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import type { Outcome } from '#runtime/kube/queue.ts'
import type { Logger } from '#runtime/log.ts'
import type { Cluster } from '../publish/gather.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'
import type { NoticesMetrics } from './metrics.ts'
import { findPublished } from './read-published.ts'

export interface ReleaseTeller extends Telling {
  cluster: Cluster
  /** All shard ConfigMaps as last seen. */
  shards: () => Iterable<V1ConfigMap>
  /** All ShowroomClients as last seen. */
  clients: () => Iterable<ShowroomClientObject>
  /** Undefined while NATS is away. */
  outbox: () => Promise<Outbox> | undefined
  /** Aborts when this operator leads no longer. */
  signal: AbortSignal
  metrics: NoticesMetrics
  log: Logger
}

/** What nobody asked to look at is looked at again: the announced rate sets may have been lost. */
const AGAIN_MS = 300_000
const AWAY_MS = 5_000
const PUTS_AT_ONCE = 16

/**
 * Puts into the outbox what the clients have to be told of the present release, then records it as announced. A run that
 * ends in between is repeated, and each notice put before is recognised. Throws when NATS or the API server fails.
 */
export async function tellRelease(teller: ReleaseTeller): Promise<Outcome> {
  const { metrics, log } = teller
  const opening = teller.outbox()
  if (!opening) {
    if (metrics.behind()) log.warn('notices wait: NATS is away')
    return { after: AWAY_MS }
  }
  try {
    await tell(teller, await opening)
    if (metrics.caughtUp()) log.info('notices wait no longer')
  } catch (error) {
    if (!teller.signal.aborted) metrics.behind()
    throw error
  }
  return { after: AGAIN_MS }
}

async function tell(teller: ReleaseTeller, outbox: Outbox): Promise<void> {
  const found = await findPublished(teller.cluster, teller.shards())
  const announced = found && (await outbox.announced())
  if (!found || announced?.release === found.release) return
  const published = found.read()
  const count = announced && (await putNotices(teller, outbox, { announced, published }))
  if (teller.signal.aborted) return
  await outbox.announce({ ...published, number: (announced?.number ?? 0) + 1 })
  const { release } = published
  if (count === undefined) teller.log.info({ release }, 'notices begin: nobody is told of what was published before')
  else teller.log.info({ release, notices: count }, 'told')
}

async function putNotices(
  { clients, signal, metrics, ...telling }: ReleaseTeller,
  outbox: Outbox,
  { announced, published }: { announced: Announcement; published: Published },
): Promise<number> {
  const recipients = [...clients()].flatMap(({ metadata, spec }) => recipientOf(metadata.name, spec) ?? [])
  const notices = [...noticesOf(announced, published, recipients, telling)]
  await inParallel(PUTS_AT_ONCE, notices, async (notice) => {
    if (signal.aborted) return
    await outbox.put(notice)
    metrics.put()
  })
  return notices.length
}
