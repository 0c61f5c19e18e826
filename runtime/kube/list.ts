import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node'
import type { Kube } from './kube.ts'
import { withoutManagedFields } from './managed-fields.ts'
import type { Collection } from './resource-path.ts'

export interface ListOptions<T = KubernetesObject> extends Collection {
  /** Number of objects in one page. Default 500. */
  limit?: number
  signal?: AbortSignal
  /** Milliseconds for each page. Default 60,000. */
  timeoutMs?: number
  /** Called with each object as its page arrives; returns what to keep of the object. By default, the object. */
  keep?: (object: T) => T
}

/**
 * Reads a whole collection in pages, without managedFields, with the resourceVersion from which to watch; throws
 * KubeApiError (410 when the list expires between pages).
 */
export async function listAll<T extends KubernetesObject>(
  kube: Kube,
  { keep = (object) => object, ...options }: ListOptions<T>,
): Promise<{ items: T[]; resourceVersion: string }> {
  const items: T[] = []
  let page: KubernetesListObject<T> | undefined
  do {
    page = await readPage<T>(kube, options, continueOf(page))
    // An empty list without content arrives as null.
    for (const item of (page.items as T[] | null) ?? []) items.push(keep(complete(item, page)))
  } while (continueOf(page))
  return { items, resourceVersion: page.metadata?.resourceVersion ?? '' }
}

function readPage<T extends KubernetesObject>(kube: Kube, options: ListOptions, token: string | undefined) {
  return kube.page<T>({ limit: 500, timeoutMs: 60_000, ...options, ...(token !== undefined && { continue: token }) })
}

function continueOf(page: KubernetesListObject<KubernetesObject> | undefined): string | undefined {
  // The JSON field is `continue`; the library's types call it `_continue`.
  return (page?.metadata as { continue?: string } | undefined)?.continue || undefined
}

/** Adds kind and apiVersion, which items of built-in kinds lack in a list and have in watch events. */
function complete<T extends KubernetesObject>(item: T, page: KubernetesListObject<T>): T {
  item.apiVersion ??= page.apiVersion
  item.kind ??= page.kind?.replace(/List$/, '')
  return withoutManagedFields(item)
}
