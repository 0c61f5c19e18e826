import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Outbox } from '#notices/outbox.ts'
import type { SigningPair } from '#notices/signing.ts'
import type { Telling } from '#notices/tell.ts'
import type { Logger } from '#runtime/log.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'
import type { NoticesMetrics } from './metrics.ts'
import type { RefusedAddresses } from './refused-addresses.ts'

/** What the announcement of releases uses. */
export interface ReleaseTeller extends Pick<Telling, 'environment' | 'today'> {
  cluster: Cluster
  /** All shard ConfigMaps in the cache. */
  shards: () => Iterable<V1ConfigMap>
  /** All ShowroomClients in the cache. */
  clients: () => Iterable<ShowroomClientObject>
  client: (name: string) => ShowroomClientObject | undefined
  /** Undefined while NATS is away. */
  outbox: () => Promise<Outbox> | undefined
  /** Returns the key pair that signs notices; read each time, so that a rotated key needs no restart. */
  key: () => Promise<SigningPair>
  now: () => Date
  /** Milliseconds that a release must last before it is announced. */
  settleMs: number
  /** An announcement to more clients than this waits until a person releases it. */
  holdAbove: number
  /**
   * State of the last run: the release that it found, when that release was first found, when all clients were last
   * visited, and whether NATS is away.
   */
  lastLook: { release?: string; since: number; lookedAt: number; isAway: boolean }
  /** The refused addresses that the statuses of clients report. */
  refused: RefusedAddresses
  /** Aborts when this operator no longer leads. */
  signal: AbortSignal
  metrics: NoticesMetrics
  log: Logger
}
