import { join } from 'node:path'
import { readyOrGone, startChild, type Child } from './child.ts'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

export interface EtcdOptions {
  binary: string
  /** Contains the data in `etcd/`, which stay after a stop. */
  directory: string
  logFile: string
  /** False only in tests: writes may be lost in a power failure. */
  fsync: boolean
  /** By default, free ports. */
  ports?: { client: number; peer: number }
  /** When it aborts, the server is stopped. */
  signal?: AbortSignal
}

/** Starts one etcd on free ports of 127.0.0.1 and returns when it answers. */
export async function startEtcd(options: EtcdOptions): Promise<Child & { url: string }> {
  const url = `http://127.0.0.1:${options.ports?.client ?? (await freePort())}`
  const peerUrl = `http://127.0.0.1:${options.ports?.peer ?? (await freePort())}`
  const child = await startChild({
    name: 'etcd',
    command: options.binary,
    args: [
      ...['--name', 'local', '--data-dir', join(options.directory, 'etcd'), '--log-level', 'warn'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `local=${peerUrl}`],
      // The peer address changes with every start; a single member never connects to it.
      ...(options.fsync ? [] : ['--unsafe-no-fsync']),
    ],
    logFile: options.logFile,
    signal: options.signal,
  })
  await readyOrGone(child, options.logFile, (signal) =>
    waitFor('etcd', async () => (await fetch(`${url}/health`)).ok, { timeoutMs: 30_000, signal }),
  )
  return { ...child, url }
}
