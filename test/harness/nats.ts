import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import { startNats } from '../../tools/stack/nats-server.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface TestNats {
  url: string
  port: number
  pid(): number
  /** Ends the server cleanly; the store and the port stay for `start`. */
  stop(): Promise<void>
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends the server and removes its store. */
  close(): Promise<void>
}

/** A real nats-server with JetStream, on a free port, with a store of its own. */
export async function startTestNats(options: { configuration?: string } = {}): Promise<TestNats> {
  const binary = await ensureBinary('nats-server')
  const port = await freePort()
  const directory = temporaryDirectory('nats')
  const launch = () =>
    startNats({
      ...options,
      binary,
      port,
      directory: directory.path,
      logFile: join(directory.path, 'nats.log'),
    })
  let server = await launch()
  const stop = () => server.stop()
  return {
    url: server.url,
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
    close: async () => {
      await stop()
      directory.remove()
    },
  }
}
