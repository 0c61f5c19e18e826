import type { KubeConfig } from '@kubernetes/client-node'
import { request, type Dispatcher } from 'undici'
import { KubeApiError, type Status } from './api-error.ts'
import { connectionOf } from './connection.ts'

export interface KubeRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path on the server, such as `/api/v1/namespaces`. */
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  /** Default `application/json`. */
  contentType?: string
  /** Default `application/json`. */
  accept?: string
  signal?: AbortSignal
  /** Milliseconds for the whole exchange. Default 30,000. */
  timeoutMs?: number
}

/** Sends one request and returns the JSON of the answer; throws KubeApiError for any status other than 2xx. */
export async function requestKube<T>(kubeConfig: KubeConfig, options: KubeRequest): Promise<T> {
  // A part of another time, such as half of two thirds of a lease, is rarely whole, and AbortSignal takes whole numbers only.
  const timeout = AbortSignal.timeout(Math.ceil(options.timeoutMs ?? 30_000))
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const response = await openKube(kubeConfig, { ...options, signal })
  return (await response.body.json()) as T
}

/**
 * Sends one request and returns the open response; throws KubeApiError for any status other than 2xx. The caller sets
 * timeouts.
 */
export async function openKube(kubeConfig: KubeConfig, options: KubeRequest): Promise<Dispatcher.ResponseData> {
  const { server, headers, dispatcher } = await connectionOf(kubeConfig)
  const url = `${server}${options.path}${queryOf(options.query)}`
  const method = options.method ?? 'GET'
  const content = options.body === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }
  const response = await request(url, {
    method,
    headers: { ...headers, accept: options.accept ?? 'application/json', ...content },
    body: options.body === undefined ? null : JSON.stringify(options.body),
    signal: options.signal ?? null,
    dispatcher,
  })
  if (response.statusCode >= 200 && response.statusCode < 300) return response
  throw await refusal(`${method} ${options.path}`, response)
}

function queryOf(query: KubeRequest['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}

async function refusal(what: string, response: Dispatcher.ResponseData): Promise<KubeApiError> {
  const text = await response.body.text()
  const retryAfterMs = retryAfter(response.headers['retry-after'])
  return new KubeApiError(what, {
    ...statusOf(text),
    code: response.statusCode,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

// kube-apiserver sends only seconds; the date form of RFC 9110 10.2.3 comes from a proxy.
function retryAfter(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
}

function statusOf(text: string): Status {
  try {
    const status: unknown = JSON.parse(text)
    if (status !== null && typeof status === 'object' && !Array.isArray(status)) return status
  } catch {
    // Some refusals, such as those of proxies, are plain text.
  }
  return { message: text.trim().slice(0, 500) }
}
