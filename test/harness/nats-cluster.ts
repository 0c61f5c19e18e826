import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { startNats } from '../../tools/stack/nats-server.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface NatsCluster {
  /** The addresses of all servers, separated by commas. */
  url: string
  /** Ends the server of this name with SIGKILL; its store and its ports stay for `start`. */
  kill(name: string): Promise<void>
  /** Starts a killed server, and returns when it has caught up with the others. */
  start(name: string): Promise<void>
  /** Ends all servers and removes their stores. */
  close(): Promise<void>
}

/** Three real nats-servers in one cluster, each with a JetStream store of its own. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const binary = await ensureBinary('nats-server')
  const directory = temporaryDirectory('nats-cluster')
  const names = ['nats-0', 'nats-1', 'nats-2']
  const places = await Promise.all(
    names.map(async (name) => ({ name, port: await freePort(), peers: await freePort() })),
  )
  const routes = places.map(({ peers }) => `nats://127.0.0.1:${peers}`).join(', ')
  const launch = ({ name, port, peers }: (typeof places)[number]) =>
    startNats({
      ...{ binary, port, directory: join(directory.path, name), logFile: join(directory.path, `${name}.log`) },
      configuration: [
        `server_name: ${name}`,
        `cluster { name: driveaway, listen: "127.0.0.1:${peers}", routes: [${routes}] }`,
      ].join('\n'),
    })
  // Together, because none is healthy before two are there.
  const servers = new Map(await Promise.all(places.map(async (place) => [place.name, await launch(place)] as const)))
  return {
    url: places.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    kill: async (name) => {
      servers.get(name)!.kill('SIGKILL')
      await servers.get(name)!.exited
    },
    start: async (name) => void servers.set(name, await launch(places.find((place) => place.name === name)!)),
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.stop()))
      directory.remove()
    },
  }
}
