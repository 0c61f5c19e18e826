import type { Kube } from './kube.ts'
import type { Collection } from './resource-path.ts'
import type { WatchOptions } from './watch-options.ts'

const PROBE_MS = 10_000

/** The collection alone. */
export function collectionOf<T>({ path, labelSelector, fieldSelector }: WatchOptions<T>): Collection {
  return { path, ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }
}

/**
 * The version that a collection has now, or '': one object is listed, for that alone. Without a version in the question the
 * answer is as new as etcd's quorum, whichever API server gives it.
 */
export async function serverVersion(kube: Kube, collection: Collection, signal: AbortSignal): Promise<string> {
  const { metadata } = await kube.page({ ...collection, limit: 1, timeoutMs: PROBE_MS, signal })
  return metadata?.resourceVersion ?? ''
}
