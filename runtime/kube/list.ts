import type { KubeConfig, KubernetesListObject, KubernetesObject } from '@kubernetes/client-node'
import { requestKube } from './request.ts'

export interface ListOptions {
  kubeConfig: KubeConfig
  path: string
  labelSelector?: string
  fieldSelector?: string
  /** Objects in one page. Default 500. */
  limit?: number
  signal?: AbortSignal
}

/** Reads a whole collection in pages, with the resourceVersion to watch from; throws KubeApiError (410 between pages). */
export async function listAll<T extends KubernetesObject>(
  options: ListOptions,
): Promise<{ items: T[]; resourceVersion: string }> {
  const items: T[] = []
  let page: KubernetesListObject<T> | undefined
  do {
    page = await readPage<T>(options, continueOf(page))
    for (const item of page.items) items.push(complete(item, page))
  } while (continueOf(page))
  return { items, resourceVersion: page.metadata?.resourceVersion ?? '' }
}

function readPage<T extends KubernetesObject>(options: ListOptions, token: string | undefined) {
  const { kubeConfig, path, labelSelector, fieldSelector, limit = 500, signal } = options
  const query = { limit, labelSelector, fieldSelector, continue: token }
  return requestKube<KubernetesListObject<T>>(kubeConfig, { path, query, timeoutMs: 60_000, ...(signal && { signal }) })
}

function continueOf(page: KubernetesListObject<KubernetesObject> | undefined): string | undefined {
  // The wire says `continue`; the library's types say `_continue`.
  return (page?.metadata as { continue?: string } | undefined)?.continue || undefined
}

/** Items of built-in kinds come without kind and apiVersion; events of the watch have them. */
function complete<T extends KubernetesObject>(item: T, page: KubernetesListObject<T>): T {
  item.apiVersion ??= page.apiVersion
  item.kind ??= page.kind?.replace(/List$/, '')
  return item
}
