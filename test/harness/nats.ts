import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import { startNats } from '../../tools/stack/nats-server.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface TestNats {
  url: string
  port: number
  /** Where the server that was started first tells of itself. */
  monitoringUrl: string
  pid(): number
  /** Ends the server cleanly; the store and the port stay for `start`. */
  stop(): Promise<void>
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Has the server read its configuration again, with these further lines in place of the former ones. */
  reload(configuration: string): void
  /** Ends the server and removes its store. */
  close(): Promise<void>
}

/** A real nats-server with JetStream, on a free port, with a store of its own. */
export async function startTestNats(options: { configuration?: string; syncAlways?: boolean } = {}): Promise<TestNats> {
  const binary = await ensureBinary('nats-server')
  const port = await freePort()
  const directory = temporaryDirectory('nats')
  let configuration = options.configuration ?? ''
  const launch = () =>
    startNats({
      configuration,
      syncAlways: options.syncAlways,
      binary,
      port,
      directory: directory.path,
      logFile: join(directory.path, 'nats.log'),
    })
  let server = await launch()
  const stop = () => server.stop()
  return {
    url: server.url,
    monitoringUrl: server.monitoringUrl,
    port,
    pid: () => server.pid,
    stop,
    kill: async () => {
      server.kill('SIGKILL')
      await server.exited
    },
    start: async () => {
      await stop()
      server = await launch()
    },
    reload: (changed) => {
      const file = join(directory.path, 'nats.conf')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(configuration, () => changed),
      )
      configuration = changed
      server.kill('SIGHUP')
    },
    close: async () => {
      await stop()
      directory.remove()
    },
  }
}
