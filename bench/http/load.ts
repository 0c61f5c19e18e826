import autocannon from 'autocannon'
import type { Server } from './servers.ts'

/** A request that a server answers again and again. */
export interface Load {
  path: string
  /** JSON. */
  body: string
}

export interface Measured {
  perSecond: number
  /** Processor time of the server per request. */
  cpuUs: number
}

export interface Rate {
  headers: Record<string, string>
  /** Requests; else `seconds`. */
  amount?: number
  seconds?: number
}

const CONNECTIONS = 32
/** autocannon ends at a sample; by default it takes one each second, and a run of 2.1 s would count as one of 3 s. */
const SAMPLE_MS = 10

/** Sends requests at full rate over 32 connections; throws when one is not answered with 2xx. */
export async function measureRequests(
  server: Server,
  { path, body }: Load,
  { headers, amount, seconds }: Rate,
): Promise<Measured> {
  const url = `${server.url}${path}`
  const always = { method: 'POST', connections: CONNECTIONS, sampleInt: SAMPLE_MS } as const
  const length = amount === undefined ? { duration: seconds ?? 1 } : { amount }
  const [before, start] = [await server.cpuSeconds(), performance.now()]
  const result = await autocannon({ ...always, url, headers, body, ...length })
  const took = (performance.now() - start) / 1_000
  const cpu = (await server.cpuSeconds()) - before
  const { errors, timeouts, non2xx, requests } = result
  const failed = errors + timeouts + non2xx
  if (failed > 0) throw new Error(`${failed} of ${requests.total} requests to ${url} failed`)
  return { perSecond: requests.total / took, cpuUs: (cpu * 1e6) / requests.total }
}

/** The bytes of one answer as text, with the names of its header fields. */
export async function answerOf(server: Server, { path, body }: Load, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return JSON.stringify([[...response.headers.keys()].sort(), text])
}
