import type { RequestOptions } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import type { DispatcherOptions, KubeConfig } from '@kubernetes/client-node'
import { Agent, ProxyAgent, type Dispatcher } from 'undici'

export interface Connection {
  /** Base URL of the current cluster, without a trailing slash. */
  server: string
  headers: Record<string, string>
  dispatcher: Dispatcher
}

interface Pool {
  options: DispatcherOptions
  dispatcher: Dispatcher
}

interface Known {
  connection: Promise<Connection>
  until: number
}

const pools = new WeakMap<KubeConfig, Pool>()
const known = new WeakMap<KubeConfig, Known>()

/**
 * Certificates and tokens in files are read again after this time; reading them for every request is a tenth of its
 * work.
 */
const FRESH_MS = 1000

/**
 * The connection to the current cluster, with credentials at most a second old. client-node 2.0.1 creates a new undici
 * Agent, and so a new TLS connection, for every request; here a KubeConfig shares its connections until its
 * certificates change.
 */
export function connectionOf(kubeConfig: KubeConfig): Promise<Connection> {
  const last = known.get(kubeConfig)
  if (last && performance.now() < last.until) return last.connection
  const connection = connect(kubeConfig)
  known.set(kubeConfig, { connection, until: performance.now() + FRESH_MS })
  // Failures are not cached.
  connection.catch(() => known.delete(kubeConfig))
  return connection
}

async function connect(kubeConfig: KubeConfig): Promise<Connection> {
  const cluster = kubeConfig.getCurrentCluster()
  if (!cluster) throw new Error('The kubeconfig has no current cluster')
  const https: RequestOptions = {}
  await kubeConfig.applyToHTTPSOptions(https)
  const options = kubeConfig.createDispatcherOptions(cluster, tlsOf(https))
  return {
    server: cluster.server.replace(/\/+$/, ''),
    headers: headersOf(https),
    dispatcher: poolOf(kubeConfig, options),
  }
}

function tlsOf({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }: RequestOptions) {
  return { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }
}

function headersOf(https: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(https.headers ?? {})) headers[name.toLowerCase()] = String(value)
  if (https.auth) headers['authorization'] = `Basic ${Buffer.from(https.auth).toString('base64')}`
  return headers
}

function poolOf(kubeConfig: KubeConfig, options: DispatcherOptions): Dispatcher {
  const pool = pools.get(kubeConfig)
  if (pool && isDeepStrictEqual(pool.options, options)) return pool.dispatcher
  // Running requests finish on their existing connections.
  void pool?.dispatcher.close()
  const dispatcher = dispatcherFor(options)
  pools.set(kubeConfig, { options, dispatcher })
  return dispatcher
}

function dispatcherFor(options: DispatcherOptions): Dispatcher {
  // HTTP/1.1, so that each watch has a connection of its own and ending it affects nothing else. Callers set timeouts.
  const limits = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 }
  if (options.type === 'none') return new Agent(limits)
  if (options.type === 'agent') return new Agent({ ...limits, connect: options.connect })
  if (options.type === 'proxy') return new ProxyAgent({ ...limits, uri: options.uri, requestTls: options.requestTls })
  throw new Error(`A cluster behind a SOCKS proxy is not supported: ${options.uri}`)
}
