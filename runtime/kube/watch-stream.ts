import type { KubeConfig } from '@kubernetes/client-node'
import { KubeApiError, type Status } from './api-error.ts'
import { jsonLines } from './json-lines.ts'
import { openKube } from './request.ts'
import type { Collection } from './resource-path.ts'

export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  object: T
}

export interface StreamOptions extends Collection {
  resourceVersion: string
  /** After this time the server ends the stream normally. */
  timeoutSeconds: number
  signal: AbortSignal
  onOpen(): void
}

const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/**
 * One watch request, until the server ends it or the signal aborts. Throws KubeApiError for a refusal or an ERROR
 * event, and undici's error when the connection breaks. The caller must detect a stream that stays silent.
 */
export async function* watchEvents<T>(kubeConfig: KubeConfig, options: StreamOptions): AsyncGenerator<WatchEvent<T>> {
  const { path, signal, onOpen, metadataOnly = false } = options
  const accept = metadataOnly ? { accept: METADATA } : {}
  const response = await openKube(kubeConfig, { path, query: queryOf(options), signal, ...accept })
  onOpen()
  for await (const event of jsonLines<{ type: string; object: T }>(response.body)) yield checked(path, event)
}

function queryOf({ labelSelector, fieldSelector, resourceVersion, timeoutSeconds }: StreamOptions) {
  return { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds, labelSelector, fieldSelector }
}

function checked<T>(path: string, event: { type: string; object: T }): WatchEvent<T> {
  if (event.type !== 'ERROR') return event as WatchEvent<T>
  const status = event.object as Status
  throw new KubeApiError(`WATCH ${path}`, { ...status, code: status.code ?? 500 })
}
