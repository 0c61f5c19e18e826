import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../tools/stack/free-port.ts'
import { launchProgram } from '../../tools/stack/programs.ts'
import { root } from '../../tools/stack/settings.ts'
import type { PeerRole } from './peer.ts'

/** A server in its own process. */
export interface Server {
  url: string
  /** Processor time used so far, in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

const SECRET = 'correct-horse-battery-staple-0123456789-abcdefg'

/** A bare server that answers quotes with the same bytes as the API. */
export async function startPeer(role: PeerRole): Promise<Server> {
  const child = fork(new URL('peer.ts', import.meta.url), [role])
  const exit = once(child, 'exit')
  const answer = async <T>() => {
    const gone = exit.then(([code]) => Promise.reject(new Error(`the ${role} peer ended with ${code}`)))
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [T]
    return message
  }
  const { port } = await answer<{ port: number }>()
  return {
    url: `http://127.0.0.1:${port}`,
    cpuSeconds: async () => {
      child.send('cpu')
      const { cpu } = await answer<{ cpu: NodeJS.CpuUsage }>()
      return (cpu.user + cpu.system) / 1e6
    },
    stop: async () => {
      child.kill()
      await exit
    },
  }
}

/** The pricing API as it is deployed, with the rate sets of a folder, and a token for it. */
export async function startPricing(folder: string): Promise<Server & { token: string }> {
  const clientsFile = join(folder, 'clients.json')
  const showroomCodes = ['MEL01']
  writeFileSync(clientsFile, JSON.stringify({ clients: [{ clientId: 'bench', secret: SECRET, showroomCodes }] }))
  const [pricingPort, healthPort] = [await freePort(), await freePort()]
  mkdirSync(join(folder, 'logs'))
  const env = {
    SERVE: 'pricing',
    HOST: '127.0.0.1',
    PRICING_PORT: String(pricingPort),
    HEALTH_PORT: String(healthPort),
    RATES_SOURCE: 'directory',
    RATES_DIRECTORY: join(root, 'rates/sets'),
    CLIENTS_FILE: clientsFile,
  }
  const program = { name: 'pricing', entry: 'api/main.ts', healthPort, env }
  const child = await launchProgram(program, { root, logDirectory: join(folder, 'logs') })
  const url = `http://127.0.0.1:${pricingPort}`
  const cpuSeconds = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1])
  }
  try {
    return { url, cpuSeconds, token: await tokenOf(url), stop: () => child.stop() }
  } catch (fault) {
    await child.stop()
    throw fault
  }
}

async function tokenOf(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'bench', client_secret: SECRET })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
