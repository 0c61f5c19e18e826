import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, type Child } from '../stack/child.ts'
import { freePort } from '../stack/free-port.ts'
import { waitFor } from '../stack/wait-for.ts'

export interface RunningApi {
  url: string
  healthUrl: string
  /** An access token of the one client, good for an hour. */
  token: string
  child: Child
}

const CLIENT_ID = 'contract'

/** Starts the pricing API as it is deployed, with the rate sets of this folder and one client; `folder` is for its files. */
export async function startApi(folder: string): Promise<RunningApi> {
  const secret = randomBytes(32).toString('base64url')
  const clientsFile = join(folder, 'clients.json')
  const clients = [{ clientId: CLIENT_ID, secret, showroomCodes: ['MEL01', 'SYD01', 'BNE01'] }]
  writeFileSync(clientsFile, JSON.stringify({ clients }), { mode: 0o600 })
  const [port, healthPort] = [await freePort(), await freePort()]
  const logFile = join(folder, 'api.log')
  const child = await startChild({
    name: 'pricing API',
    command: process.execPath,
    args: ['api/main.ts'],
    logFile,
    env: {
      ...process.env,
      ...{ SERVE: 'pricing', RATES_SOURCE: 'directory', RATES_DIRECTORY: 'rates/sets', CLIENTS_FILE: clientsFile },
      ...{ PRICING_PORT: String(port), HEALTH_PORT: String(healthPort), HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    },
  })
  const url = `http://127.0.0.1:${port}`
  const healthUrl = `http://127.0.0.1:${healthPort}`
  const ready = async () => (await fetch(`${healthUrl}/readyz`)).ok
  await waitFor('the pricing API to be ready', ready, { timeoutMs: 90_000, everyMs: 200 }).catch((error: Error) => {
    throw new Error(`${error.message}\n${readFileSync(logFile, 'utf8')}`)
  })
  return { url, healthUrl, token: await tokenOf(url, secret), child }
}

async function tokenOf(url: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: secret })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
