import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Outbox } from '#notices/outbox.ts'
import type { SigningPair } from '#notices/signing.ts'
import type { Telling } from '#notices/tell.ts'
import type { Logger } from '#runtime/log.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'
import type { NoticesMetrics } from './metrics.ts'
import type { RefusedAddresses } from './refused-addresses.ts'

/** What clients are told of releases with. */
export interface ReleaseTeller extends Pick<Telling, 'environment' | 'today'> {
  cluster: Cluster
  /** All shard ConfigMaps as last seen. */
  shards: () => Iterable<V1ConfigMap>
  /** All ShowroomClients as last seen. */
  clients: () => Iterable<ShowroomClientObject>
  client: (name: string) => ShowroomClientObject | undefined
  /** Undefined while NATS is away. */
  outbox: () => Promise<Outbox> | undefined
  /** By which notices are signed, read anew: a key that is rotated takes no restart. */
  key: () => Promise<SigningPair>
  now: () => Date
  /** Milliseconds for which a release must last before it is told of. */
  settleMs: number
  /** More clients than these are told only of what a person released. */
  holdAbove: number
  /** The release that was last found, when it was found first, when all clients were last gone through, and whether NATS is away. */
  lastLook: { release?: string; since: number; lookedAt: number; isAway: boolean }
  /** What the statuses of clients say of refused addresses. */
  refused: RefusedAddresses
  /** Aborts when this operator leads no longer. */
  signal: AbortSignal
  metrics: NoticesMetrics
  log: Logger
}
