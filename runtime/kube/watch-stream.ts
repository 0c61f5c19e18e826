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
  /** After this long the server ends the stream in good order. */
  timeoutSeconds: number
  /** Milliseconds without a byte after which the connection counts as dead; bookmarks come about once a minute. */
  inactivityMs: number
  signal: AbortSignal
  onOpen(): void
}

/**
 * One watch request, until the server ends it. Throws KubeApiError for a refusal or an ERROR event, and what undici
 * throws when the connection breaks or stays silent.
 */
export async function* watchEvents<T>(kubeConfig: KubeConfig, options: StreamOptions): AsyncGenerator<WatchEvent<T>> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new SilentWatchError(options.inactivityMs)), options.inactivityMs)
  try {
    const response = await openKube(kubeConfig, {
      path: options.path,
      query: queryOf(options),
      signal: AbortSignal.any([options.signal, silence.signal]),
    })
    options.onOpen()
    for await (const event of jsonLines<{ type: string; object: T }>(refreshing(response.body, timer))) {
      yield checked(options.path, event)
    }
  } finally {
    clearTimeout(timer)
  }
}

export class SilentWatchError extends Error {
  override name = 'SilentWatchError'

  constructor(inactivityMs: number) {
    super(`The watch was silent for ${inactivityMs} ms`)
  }
}

function queryOf({ labelSelector, fieldSelector, resourceVersion, timeoutSeconds }: StreamOptions) {
  return { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds, labelSelector, fieldSelector }
}

async function* refreshing(chunks: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    timer.refresh()
    yield chunk
  }
}

function checked<T>(path: string, event: { type: string; object: T }): WatchEvent<T> {
  if (event.type !== 'ERROR') return event as WatchEvent<T>
  const status = event.object as Status
  throw new KubeApiError(`WATCH ${path}`, { ...status, code: status.code ?? 500 })
}
