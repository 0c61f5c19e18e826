import type { V1ConfigMap } from '@kubernetes/client-node'
import {
  historyConfigMap,
  INDEX_KEY,
  indexConfigMap,
  SHARD_KEY,
  shardConfigMap,
  type PublishedConfigMap,
} from '#rates/published/config-map.ts'
import type { NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { namesOf } from '#rates/published/history.ts'
import { splitIndex } from '#rates/published/index-pages.ts'
import { isConflict, isNotFound, KubeApiError } from '#runtime/kube/api-error.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import { createConfigMap, overwrite, readConfigMap } from '../cluster/config-map.ts'
import type { Desired } from './desired.ts'
import type { Gathered } from './gather.ts'
import type { Advanced } from './history.ts'
import { SEQUENCE_LABEL, WITHDRAWN_LABEL } from './stamps.ts'

/**
 * A shard that cannot be written, because another object has its name or the server forbids the write. This is a fault
 * of the set that the shard belongs to.
 */
export class ShardRefused extends Error {
  override name = 'ShardRefused'
  /** Name of the RateSet; for clients, the number of their shard. */
  readonly of: string

  constructor({ name, shard }: NamedShard, cause?: KubeApiError) {
    super(
      `ConfigMap ${name} cannot be written: ${cause?.message ?? 'another object has this name; delete that object'}`,
      {
        cause,
      },
    )
    this.of = shard.of
  }
}

/** All shards of one publication that cannot be written. */
export class ShardsRefused extends Error {
  override name = 'ShardsRefused'
  readonly refused: readonly ShardRefused[]

  constructor(refused: readonly ShardRefused[]) {
    super(refused[0]?.message, { cause: refused[0] })
    this.refused = refused
  }
}

const WRITES_AT_ONCE = 12
const ATTEMPTS = 5

export interface Applying<I extends RatesIndex | ClientsIndex> {
  cluster: Cluster
  desired: Desired<I>
  gathered: Gathered<I>
  /** Called with the index while it is being written, and once it is written. */
  onWritten: (written: WrittenIndex) => void
}

/**
 * Writes a publication: first the new shards, then the history, then the index, which replaces only the version that
 * was gathered. Throws KubeApiError 409 when another operator was faster.
 */
export async function apply<I extends RatesIndex | ClientsIndex>(
  { cluster, desired: { index, shards }, gathered, onWritten }: Applying<I>,
  next: Advanced<I>,
): Promise<void> {
  await putShards(cluster, index, [...shards, ...splitIndex(index).pages], gathered)
  await writeHistory(cluster, next, gathered)
  const desired = indexConfigMap(cluster.namespace, index)
  const text = desired.data[INDEX_KEY]
  onWritten({ text })
  const { metadata } = await overwrite(cluster, desired, gathered.stored)
  onWritten({ text, resourceVersion: metadata?.resourceVersion })
}

/** The index that this process wrote last. */
export interface WrittenIndex {
  /** The text contains a sequence that no other index has; undefined for an index that was made empty. */
  text: string | undefined
  /** Version of the object, once the server has answered. */
  resourceVersion?: string | undefined
}

/** Whether a watch reports the index that this process wrote last. */
export function isWritten({ data, metadata }: V1ConfigMap, written: WrittenIndex | undefined): boolean {
  if (!written || data?.[INDEX_KEY] !== written.text) return false
  return written.resourceVersion === undefined || written.resourceVersion === metadata?.resourceVersion
}

/** Replaces the history that was gathered, after writing its new chunks. */
export async function writeHistory<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  { stored, shards, history }: Advanced<I>,
  gathered: Gathered<I>,
): Promise<void> {
  await putShards(cluster, history.index, shards, gathered)
  await overwrite(cluster, historyConfigMap(cluster.namespace, stored), gathered.storedHistory)
}

/** Creates every shard that the current index does not name, or claims it when it exists; throws ShardsRefused. */
async function putShards<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  { sequence }: I,
  shards: readonly NamedShard[],
  gathered: Gathered<I>,
): Promise<void> {
  const named = new Set(gathered.index && !gathered.isRebuilt ? namesOf(gathered.index) : [])
  const refused: ShardRefused[] = []
  await inParallel(WRITES_AT_ONCE, shards, async (shard) => {
    const desired = shardConfigMap(cluster.namespace, shard)
    const known = gathered.shards.get(shard.name)
    if (named.has(shard.name) && known && isSame(known, desired)) return
    const isPut = await putShard(cluster, { desired, sequence: String(sequence) }, known).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      refused.push(new ShardRefused(shard, error))
      return true
    })
    if (!isPut) refused.push(new ShardRefused(shard))
  })
  if (refused.length > 0) throw new ShardsRefused(refused)
}

/** Refusals that concern this object alone and that another attempt will not change. */
const isRefusal = (error: unknown): error is KubeApiError =>
  error instanceof KubeApiError && [403, 413, 422].includes(error.status)

interface Put {
  desired: PublishedConfigMap
  sequence: string
}

async function putShard(cluster: Cluster, put: Put, known: V1ConfigMap | undefined): Promise<boolean> {
  let existing = known
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stored = await tryPut(cluster, put, existing)
    // The response to a write is the stored object, so it also verifies the write.
    if (stored && isSame(stored, put.desired) && stored.metadata?.labels?.[SEQUENCE_LABEL] === put.sequence) return true
    existing = await readConfigMap(cluster, put.desired.metadata.name)
  }
  return false
}

async function tryPut(cluster: Cluster, put: Put, existing: V1ConfigMap | undefined) {
  try {
    if (!existing) return await createShard(cluster, put)
    if (isSame(existing, put.desired)) return await claim(cluster, put, existing)
    // Another content under this name can only be damage: the shard is immutable and named by its digest.
    const { uid, resourceVersion } = existing.metadata ?? {}
    const version = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
    await cluster.kube.delete(put.desired, version)
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
  return undefined
}

function createShard(cluster: Cluster, { desired, sequence }: Put): Promise<V1ConfigMap> {
  const labels = { ...desired.metadata.labels, [SEQUENCE_LABEL]: sequence }
  return createConfigMap(cluster, { ...desired, metadata: { ...desired.metadata, labels } })
}

/**
 * Marks an existing shard as part of this publication. An operator that is about to delete it as old then finds a newer
 * version, or a label that is not old. uid and resourceVersion are preconditions.
 */
function claim(cluster: Cluster, { sequence }: Put, existing: V1ConfigMap): Promise<V1ConfigMap> {
  const { name = '', uid, resourceVersion } = existing.metadata ?? {}
  const metadata = { uid, resourceVersion, labels: { [SEQUENCE_LABEL]: sequence, [WITHDRAWN_LABEL]: null } }
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: cluster.namespace } }
  return cluster.kube.patchMetadata<V1ConfigMap>(reference, metadata, { fieldManager: FIELD_MANAGER })
}

function isSame(stored: V1ConfigMap, desired: PublishedConfigMap): boolean {
  return stored.immutable === true && stored.data?.[SHARD_KEY] === desired.data[SHARD_KEY]
}
