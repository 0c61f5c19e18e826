import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StorageSettings } from '../../inventory/storage.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import { launchProgram } from '../../tools/stack/programs.ts'
import { root } from '../../tools/stack/settings.ts'

/** The inventory API and one worker, as deployed. */
export interface Inventory {
  url: string
  /** Health address of the API. */
  healthUrl: string
  pids: readonly number[]
  /** An access token for each client. */
  tokens: readonly string[]
  stop(): Promise<void>
}

export interface InventoryOptions {
  natsUrl: string
  /** For logs and settings. */
  folder: string
  clients: number
  storage: StorageSettings
}

const SECRET = 'correct-horse-battery-staple-0123456789-abcdefg'

/** Starts both in their own processes with default settings and the given number of clients. */
export async function startInventory({ natsUrl, folder, clients, storage }: InventoryOptions): Promise<Inventory> {
  const ids = Array.from({ length: clients }, (_, index) => `client-${index}`)
  const [pricing, inventory] = [await freePort(), await freePort()]
  const nats = { NATS_URL: natsUrl, NATS_STORE_MEGABYTES: String(storage.bytes / 1024 ** 2) }
  const api = await start('api', 'api/main.ts', folder, {
    ...settings(folder, ids),
    ...nats,
    HOST: '127.0.0.1',
    SERVE: 'both',
    PRICING_PORT: String(pricing),
    INVENTORY_PORT: String(inventory),
  })
  const worker = await start('worker', 'worker/main.ts', folder, { ...nats, IMAGE_ALLOWED_ADDRESSES: '127.0.0.1' })
  const tokens = await Promise.all(ids.map((id) => tokenOf(`http://127.0.0.1:${pricing}`, id)))
  return {
    url: `http://127.0.0.1:${inventory}`,
    healthUrl: api.healthUrl,
    tokens,
    pids: [api.child.pid, worker.child.pid],
    stop: async () => {
      await worker.child.stop()
      await api.child.stop()
    },
  }
}

async function start(name: string, entry: string, folder: string, env: Record<string, string>) {
  const healthPort = await freePort()
  const program = { name, entry, healthPort, env: { ...env, HEALTH_PORT: String(healthPort) } }
  const child = await launchProgram(program, { root, logDirectory: folder })
  return { child, healthUrl: `http://127.0.0.1:${healthPort}` }
}

function settings(folder: string, ids: readonly string[]): Record<string, string> {
  const rates = join(folder, 'rates')
  mkdirSync(rates)
  const clientsFile = join(folder, 'clients.json')
  const clients = ids.map((clientId) => ({ clientId, secret: SECRET, grants: ['inventory:write'] }))
  writeFileSync(clientsFile, JSON.stringify({ clients }))
  return { RATES_SOURCE: 'directory', RATES_DIRECTORY: rates, CLIENTS_FILE: clientsFile }
}

async function tokenOf(url: string, clientId: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: SECRET })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
