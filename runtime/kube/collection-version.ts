import type { Kube } from './kube.ts'
import type { Collection } from './resource-path.ts'
import type { WatchOptions } from './watch-options.ts'

/** The collection of a watch, without its other options. */
export function collectionOf<T>({ path, labelSelector, fieldSelector, metadataOnly }: WatchOptions<T>): Collection {
  const selectors = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }
  return { path, ...selectors, ...(metadataOnly && { metadataOnly }) }
}

/** How long a probe waits for the answer. */
export const PROBE = { timeoutMs: 10_000 }

interface Limits {
  timeoutMs?: number
  signal?: AbortSignal
}

/**
 * The current version of a collection, or ''. It lists one object only to learn the version. Because the request has no
 * resourceVersion, the answer is as new as etcd's quorum, whichever API server gives it.
 */
export async function collectionVersion(kube: Kube, collection: Collection, limits: Limits = {}): Promise<string> {
  const { metadata } = await kube.page({ ...collection, limit: 1, ...limits })
  return metadata?.resourceVersion ?? ''
}
