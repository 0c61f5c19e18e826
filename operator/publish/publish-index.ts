import { HISTORY_SUFFIX, PUBLISHED_LABEL, type ClientsIndex, type RatesIndex } from '#rates/published/format.ts'
import { FIELD_MANAGER } from '../cluster/cluster.ts'
import { apply, writeHistory, type Applying } from './apply.ts'
import { isPublished } from './desired.ts'
import type { Gathered } from './gather.ts'
import { advance, type History } from './history.ts'
import { prune } from './prune.ts'

export interface Publishing<I extends RatesIndex | ClientsIndex> extends Applying<I> {
  now: Date
  /** Publishes even when nothing has changed, because the versions of the sources have started again. */
  isForced?: boolean
  /** Called before the first write of a publication. */
  beforeWrites?: () => Promise<void>
}

export interface PublishedIndex<I> {
  isNew: boolean
  /** The index in force; before the first publication, the desired one. */
  index: I
  /** Absent when nothing was ever published. */
  history: History<I> | undefined
  /** Deletes what is no longer kept: the last step, which may fail without changing what is published. */
  prune: (isOvertaken?: () => boolean) => Promise<number>
}

/**
 * Brings index, history and shards of one kind to the desired state. The order of writes leaves every interrupted
 * publication complete.
 */
export async function publishIndex<I extends RatesIndex | ClientsIndex>(
  publishing: Publishing<I>,
): Promise<PublishedIndex<I>> {
  const { cluster, desired, gathered, now, isForced = false, beforeWrites } = publishing
  const isNew = isForced || !isPublished(desired, gathered)
  const index = isNew ? desired.index : (gathered.index ?? desired.index)
  if (isNew) await beforeWrites?.()
  const history = isNew ? await writeAll(publishing) : await keepHistory(publishing)
  if (!isNew) await putLabels(publishing)
  return {
    isNew,
    index,
    history,
    prune: (isOvertaken) => prune(cluster, gathered, { index, history, now, isOvertaken }),
  }
}

async function writeAll<I extends RatesIndex | ClientsIndex>(publishing: Publishing<I>) {
  const { desired, gathered, now } = publishing
  const next = advance(gathered.history, gathered.index, desired.index, now)
  if (!next) return undefined
  await apply(publishing, next)
  return next.history
}

/** Without its label no watch sees an object, and nobody would notice that it is emptied. */
async function putLabels<I extends RatesIndex | ClientsIndex>({ cluster, gathered }: Publishing<I>): Promise<void> {
  for (const name of gathered.unwatched) {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: cluster.namespace } }
    const value = name.endsWith(HISTORY_SUFFIX) ? 'history' : 'index'
    const metadata = { labels: { [PUBLISHED_LABEL]: value } }
    await cluster.kube.patchMetadata(reference, metadata, { fieldManager: FIELD_MANAGER })
  }
}

/** A lost history is started again from the index, because the index could be lost next. */
async function keepHistory<I extends RatesIndex | ClientsIndex>({
  cluster,
  gathered,
  now,
}: Publishing<I>): Promise<History<I> | undefined> {
  if (gathered.history || !gathered.index) return gathered.history
  const next = advance(undefined, gathered.index, undefined, now)
  if (next) await writeHistory(cluster, next, gathered)
  return next?.history
}

interface Tidied {
  /** Why old objects could not be removed or marked. */
  untidy?: Error
}

/** The result of one publication run of a kind. */
export interface IndexRun<I> extends Tidied {
  isNew: boolean
  index: I
  /** Whether the index was missing, foreign or behind its history although one had been published. */
  isRepaired: boolean
  /** Set when a part of the run is due again. */
  afterMs?: number
}

export function isRepaired({ index, isRebuilt }: Pick<Gathered<unknown>, 'index' | 'isRebuilt'>): boolean {
  return isRebuilt && index !== undefined
}

/** Removes and marks old objects after a publication; a failure does not change what is published. */
export async function tidied(steps: () => Promise<unknown>): Promise<Tidied> {
  try {
    await steps()
    return {}
  } catch (error) {
    return { untidy: error instanceof Error ? error : new Error(String(error)) }
  }
}
