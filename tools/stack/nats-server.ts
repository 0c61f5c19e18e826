import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readyOrGone, startChild, type Child } from './child.ts'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

export interface NatsOptions {
  binary: string
  /** Contains the JetStream store in `nats/`, which stays after a stop. */
  directory: string
  logFile: string
  port: number
  /** Whether each write is on the disk before it is acknowledged, as the chart has it; default false. */
  syncAlways?: boolean | undefined
  /** Additional lines of the server's configuration file. */
  configuration?: string
  /** When it aborts, the server is stopped. */
  signal?: AbortSignal
}

/** Starts nats-server with JetStream on 127.0.0.1 and returns when it is healthy. */
export async function startNats(options: NatsOptions): Promise<Child & { url: string; monitoringUrl: string }> {
  const monitoringPort = await freePort()
  const child = await startChild({
    name: 'nats-server',
    command: options.binary,
    args: ['--config', writeConfiguration(options, monitoringPort)],
    logFile: options.logFile,
    signal: options.signal,
  })
  const monitoringUrl = `http://127.0.0.1:${monitoringPort}`
  await readyOrGone(child, options.logFile, (signal) =>
    waitFor('nats-server', async () => (await fetch(`${monitoringUrl}/healthz`)).ok, { timeoutMs: 30_000, signal }),
  )
  return { ...child, url: `nats://127.0.0.1:${options.port}`, monitoringUrl }
}

function writeConfiguration(options: NatsOptions, monitoringPort: number): string {
  const store = join(options.directory, 'nats')
  mkdirSync(store, { recursive: true })
  const path = join(options.directory, 'nats.conf')
  const lines = [
    `listen: "127.0.0.1:${options.port}"`,
    `http: "127.0.0.1:${monitoringPort}"`,
    // A batch may have 2 MB; the default limit is 1 MB.
    'max_payload: 8MB',
    `jetstream { store_dir: ${JSON.stringify(store)}${options.syncAlways ? ', sync_interval: always' : ''} }`,
    options.configuration ?? '',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}
