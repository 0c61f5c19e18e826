import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, type Child } from '../../tools/stack/child.ts'
import { asUser } from '../harness/chart-nats.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'

export const SECRET = 'correct-horse-battery-staple-0123456789-abcdefg'

export interface RunningProgram {
  /** Where its health and its metrics are. */
  healthUrl: string
  /** Ends it with SIGKILL and starts it again. */
  killAndStart(): Promise<void>
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface RunningApi extends RunningProgram {
  url: string
  /** An access token of this process; it holds until the process ends. */
  token(clientId: string): Promise<string>
}

export interface Launch {
  name: string
  entry: string
  env: Record<string, string>
  directory: string
}

/** A program as it is deployed, in a process of its own. */
export async function startProgram({ name, entry, env, directory }: Launch): Promise<RunningProgram> {
  const healthPort = await freePort()
  const healthUrl = `http://127.0.0.1:${healthPort}`
  const ready = async () => (await fetch(`${healthUrl}/livez`)).ok
  const launch = async (): Promise<Child> => {
    const child = await startChild({
      ...{ name, command: process.execPath, args: [entry], logFile: join(directory, `${name}.log`) },
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'info', HEALTH_PORT: String(healthPort), ...env },
    })
    await waitFor(name, ready, { timeoutMs: 60_000 })
    return child
  }
  let child = await launch()
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    healthUrl,
    kill,
    killAndStart: async () => {
      await kill()
      child = await launch()
    },
    stop: () => child.stop(30_000),
  }
}

/** A worker; its log is `worker.log` in the directory. `env` has further settings. */
export const startWorkerProgram = (
  natsUrl: string,
  directory: string,
  env: Record<string, string> = {},
): Promise<RunningProgram> =>
  startProgram({
    name: 'worker',
    entry: 'worker/main.ts',
    env: { NATS_URL: asUser(natsUrl, 'worker'), GRACE_SECONDS: '5', ...env },
    directory,
  })

export interface ApiOptions {
  name: string
  natsUrl: string
  directory: string
  clients: readonly string[]
  /** Further settings. */
  env?: Record<string, string>
}

/** The API, with clients from a file; it signs tokens with a key that lives as long as its process. */
export async function startApiProgram({ name, natsUrl, directory, clients, env }: ApiOptions): Promise<RunningApi> {
  const [pricing, inventory] = [await freePort(), await freePort()]
  const rates = join(directory, 'rates')
  mkdirSync(rates, { recursive: true })
  const clientsFile = join(directory, 'clients.json')
  const bindings = clients.map((clientId) => ({ clientId, secret: SECRET, grants: ['inventory:write'] }))
  writeFileSync(clientsFile, JSON.stringify({ clients: bindings }))
  const program = await startProgram({
    ...{ name, entry: 'api/main.ts', directory },
    env: {
      ...{ SERVE: 'both', RATES_SOURCE: 'directory', RATES_DIRECTORY: rates, CLIENTS_FILE: clientsFile },
      ...{
        NATS_URL: asUser(natsUrl, 'inventory'),
        PRICING_PORT: String(pricing),
        INVENTORY_PORT: String(inventory),
        ...env,
      },
    },
  })
  return { ...program, url: `http://127.0.0.1:${inventory}`, token: (clientId) => fetchToken(pricing, clientId) }
}

async function fetchToken(port: number, clientId: string): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: SECRET })
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}
