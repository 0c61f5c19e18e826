import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { readyOrGone, startChild, type Child } from './child.ts'
import type { Identity } from './identities.ts'
import { waitFor } from './wait-for.ts'

export interface ApiServerOptions {
  binary: string
  /** Contains certificates, keys and the token file. */
  directory: string
  logFile: string
  etcdUrl: string
  port: number
  identities: readonly Identity[]
  /** When it aborts, the server is stopped. */
  signal?: AbortSignal
}

export interface ApiServer extends Child {
  url: string
  caFile: string
}

/** Starts kube-apiserver with RBAC on 127.0.0.1 and returns when it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const files = prepareFiles(options)
  const child = await startChild({
    name: 'kube-apiserver',
    command: options.binary,
    args: flags(options, files),
    logFile: options.logFile,
    signal: options.signal,
  })
  await readyOrGone(child, options.logFile, (signal) =>
    waitFor('kube-apiserver', () => isReady(options.port, files.ca), {
      timeoutMs: 90_000,
      everyMs: 100,
      signal,
    }),
  )
  return { ...child, url: `https://127.0.0.1:${options.port}`, caFile: files.ca }
}

function prepareFiles({ directory, identities }: ApiServerOptions) {
  const certificates = join(directory, 'kube-apiserver')
  mkdirSync(certificates, { recursive: true })
  const tokens = join(certificates, 'tokens.csv')
  const lines = identities.map(({ token, user, groups }) => [token, user, user, `"${groups.join(',')}"`].join(','))
  writeFileSync(tokens, `${lines.join('\n')}\n`, { mode: 0o600 })
  const key = join(certificates, 'service-accounts.key')
  if (!existsSync(key)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  }
  // The server signs its own certificate, and writes that of its authority into the same file.
  return { certificates, tokens, key, ca: join(certificates, 'apiserver.crt') }
}

function flags(options: ApiServerOptions, files: ReturnType<typeof prepareFiles>): string[] {
  const values = {
    'etcd-servers': options.etcdUrl,
    'bind-address': '127.0.0.1',
    'secure-port': options.port,
    // Nothing in this cluster uses the Service "kubernetes", and a loopback address is refused for it.
    'advertise-address': '127.0.0.1',
    'endpoint-reconciler-type': 'none',
    'cert-dir': files.certificates,
    'token-auth-file': files.tokens,
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': files.key,
    'service-account-signing-key-file': files.key,
    'service-cluster-ip-range': '10.96.0.0/16',
    // By default a stop waits up to a minute for clients with open watches; ours reconnect.
    'shutdown-watch-termination-grace-period': '0s',
  }
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}

function isReady(port: number, caFile: string): Promise<boolean> {
  const ca = readFileSync(caFile)
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/readyz', ca, agent: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.once('timeout', () => call.destroy(new Error('no answer in 2 s')))
    call.once('error', reject)
    call.end()
  })
}
