import type { V1ConfigMap } from '@kubernetes/client-node'
import { indexConfigMap, SHARD_KEY, shardConfigMap, type PublishedConfigMap } from '#rates/published/config-map.ts'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import type { Publication } from './desired.ts'
import { readConfigMap, type Cluster, type Gathered } from './gather.ts'
import { addStamp, readStamps, SEQUENCE_LABEL, STAMPS_ANNOTATION, type Stamp } from './stamps.ts'

export const FIELD_MANAGER = 'driveaway-operator'

const WRITES_AT_ONCE = 12
const ATTEMPTS = 5

/**
 * Makes a publication so: every shard is there and stamped with the new sequence before the index names it, and the
 * index is written only over the one that was gathered. Throws KubeApiError 409 when another operator was faster.
 */
export async function apply(cluster: Cluster, publication: Publication, gathered: Gathered<unknown>): Promise<void> {
  await inParallel(WRITES_AT_ONCE, publication.shards, async ({ shard, entry }) => {
    const { release, at, from, index } = publication
    const wanted = shardConfigMap(cluster.namespace, shard)
    const stamp: Stamp = { sequence: index.sequence, release, at, entry }
    await stampShard(cluster, { wanted, stamp, from }, gathered.shards.get(shard.name))
  })
  await flip(cluster, publication, gathered)
}

interface Stamping {
  wanted: ReturnType<typeof shardConfigMap>
  stamp: Stamp
  from: number
}

async function stampShard(cluster: Cluster, stamping: Stamping, known: V1ConfigMap | undefined): Promise<void> {
  let existing = known
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stored = await tryStamp(cluster, stamping, existing)
    // The answer of a write is what is stored: that is the reading back.
    if (stored && isStamped(stored, stamping)) return
    existing = await readConfigMap(cluster, stamping.wanted.metadata.name)
  }
  throw new Error(`shard ${stamping.wanted.metadata.name} could not be stamped`)
}

async function tryStamp(cluster: Cluster, stamping: Stamping, existing: V1ConfigMap | undefined) {
  try {
    if (!existing) return await createShard(cluster, stamping)
    if (existing.data?.[SHARD_KEY] === stamping.wanted.data[SHARD_KEY])
      return await patchStamp(cluster, stamping, existing)
    // Another content under this name can only be damage: it is immutable, and the name is its digest.
    const { uid, resourceVersion } = existing.metadata ?? {}
    const version = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
    await cluster.kube.delete(stamping.wanted, version)
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
  return undefined
}

function createShard(cluster: Cluster, { wanted, stamp }: Stamping): Promise<V1ConfigMap> {
  const { labels, annotations } = marks([stamp])
  const metadata = { ...wanted.metadata, labels: { ...wanted.metadata.labels, ...labels }, annotations }
  return create(cluster, { ...wanted, metadata })
}

/** Metadata only: the content is immutable and need not travel. uid and resourceVersion are preconditions. */
function patchStamp(cluster: Cluster, { stamp, from }: Stamping, existing: V1ConfigMap): Promise<V1ConfigMap> {
  const { name = '', uid, resourceVersion } = existing.metadata ?? {}
  const metadata = { uid, resourceVersion, ...marks(addStamp(readStamps(existing), stamp, from)) }
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: cluster.namespace } }
  return cluster.kube.patchMetadata<V1ConfigMap>(reference, metadata, { fieldManager: FIELD_MANAGER })
}

function marks(stamps: Stamp[]) {
  const sequence = String(stamps.at(-1)?.sequence ?? 0)
  return { labels: { [SEQUENCE_LABEL]: sequence }, annotations: { [STAMPS_ANNOTATION]: JSON.stringify(stamps) } }
}

function isStamped(stored: V1ConfigMap, { wanted, stamp }: Stamping): boolean {
  const stamped = readStamps(stored).some((each) => each.sequence === stamp.sequence && each.release === stamp.release)
  return stamped && stored.immutable === true && stored.data?.[SHARD_KEY] === wanted.data[SHARD_KEY]
}

async function flip(cluster: Cluster, { index }: Publication, { stored }: Gathered<unknown>): Promise<void> {
  const wanted = indexConfigMap(cluster.namespace, index)
  if (!stored) return void (await create(cluster, wanted))
  const options = { fieldManager: FIELD_MANAGER, force: true }
  await cluster.kube.apply({ ...wanted, metadata: { ...wanted.metadata, ...stored } }, options)
}

function create(cluster: Cluster, object: PublishedConfigMap): Promise<V1ConfigMap> {
  return cluster.kube.create<V1ConfigMap>(object, { fieldManager: FIELD_MANAGER })
}
