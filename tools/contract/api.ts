import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBinary } from '../binaries/ensure.ts'
import { startChild } from '../stack/child.ts'
import { freePort } from '../stack/free-port.ts'
import { startNats } from '../stack/nats-server.ts'
import { waitFor } from '../stack/wait-for.ts'

export interface RunningApi {
  url: string
  healthUrl: string
  /** An access token of the client, valid for an hour. */
  token: string
  /** Stops all processes of this API. */
  stop(): Promise<void>
}

const CLIENT_ID = 'contract'

/** Starts the pricing API as deployed, with the rate sets of this folder and one client; its files go into `folder`. */
export async function startPricingApi(folder: string): Promise<RunningApi> {
  const api = await startProgram(folder, { SERVE: 'pricing', RATES_DIRECTORY: 'rates/sets' })
  return { ...api, url: api.pricingUrl }
}

/** Starts the inventory API with its own nats-server and one client that may upload; no worker takes its batches. */
export async function startInventoryApi(folder: string): Promise<RunningApi> {
  const [binary, port] = [await ensureBinary('nats-server'), await freePort()]
  const nats = await startNats({ binary, port, directory: folder, logFile: join(folder, 'nats.log') })
  // Tokens come from the pricing API. Without an operator that stores the keys, they become invalid when that process
  // ends.
  const ratesDirectory = join(folder, 'rates')
  mkdirSync(ratesDirectory)
  const uploads = { NATS_URL: nats.url, REQUESTS_PER_MINUTE: '1000000' }
  try {
    const api = await startProgram(folder, { SERVE: 'both', RATES_DIRECTORY: ratesDirectory, ...uploads })
    const stop = () => api.stop().finally(() => nats.stop())
    return { ...api, url: api.inventoryUrl, stop }
  } catch (error) {
    await nats.stop()
    throw error
  }
}

async function startProgram(folder: string, env: Record<string, string>) {
  const [port, inventoryPort, healthPort] = [await freePort(), await freePort(), await freePort()]
  const [pricingUrl, inventoryUrl, healthUrl] = [port, inventoryPort, healthPort].map((p) => `http://127.0.0.1:${p}`)
  const logFile = join(folder, 'api.log')
  const { secret, clientsFile } = writeClients(folder)
  const settings = {
    RATES_SOURCE: 'directory',
    CLIENTS_FILE: clientsFile,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PRICING_PORT: String(port),
    INVENTORY_PORT: String(inventoryPort),
    HEALTH_PORT: String(healthPort),
  }
  const child = await startChild({
    name: 'API',
    command: process.execPath,
    args: ['api/main.ts'],
    logFile,
    env: { ...process.env, ...settings, ...env },
  })
  const ready = async () => (await fetch(`${healthUrl}/readyz`)).ok
  await waitFor('the API to be ready', ready, { timeoutMs: 90_000, everyMs: 200 }).catch(async (error: Error) => {
    await child.stop()
    throw new Error(`${error.message}\n${readFileSync(logFile, 'utf8')}`)
  })
  const token = await tokenOf(pricingUrl!, secret)
  return {
    pricingUrl: pricingUrl!,
    inventoryUrl: inventoryUrl!,
    healthUrl: healthUrl!,
    token,
    stop: () => child.stop(),
  }
}

function writeClients(folder: string): { secret: string; clientsFile: string } {
  const secret = randomBytes(32).toString('base64url')
  const clientsFile = join(folder, 'clients.json')
  const bound = { showroomCodes: ['MEL01', 'SYD01', 'BNE01'], grants: ['pricing:quote', 'inventory:write'] }
  writeFileSync(clientsFile, JSON.stringify({ clients: [{ clientId: CLIENT_ID, secret, ...bound }] }), { mode: 0o600 })
  return { secret, clientsFile }
}

async function tokenOf(url: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: secret })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
