import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { port, readConfiguration } from '#runtime/configuration.ts'

/** The root of the repository, and where the stack stores its data, logs and addresses. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const runDirectory = join(root, '.run')
export const logDirectory = join(runDirectory, 'logs')

/** The key with which the stack signs receipts and bundles; kept from one run to the next. */
export const releaseKeyPath = join(runDirectory, 'release-key.json')

export interface Ports {
  pricing: number
  inventory: number
  health: number
}

/** The variables that change a port, for messages. */
export const portVariables = {
  pricing: 'PRICING_PORT',
  inventory: 'INVENTORY_PORT',
  health: 'HEALTH_PORT',
} as const satisfies Record<keyof Ports, string>

/** The ports that a user can choose; all other ports are free ones. */
export function readPorts(env: NodeJS.ProcessEnv): Readonly<Ports> {
  return readConfiguration<Ports>(env, {
    pricing: port({ env: portVariables.pricing, default: 8080 }),
    inventory: port({ env: portVariables.inventory, default: 8081 }),
    health: port({ env: portVariables.health, default: 8090 }),
  })
}
