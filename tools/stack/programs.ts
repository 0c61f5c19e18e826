import { join } from 'node:path'
import { readyOrGone, startChild, type Child } from './child.ts'
import type { Ports } from './settings.ts'
import { waitFor } from './wait-for.ts'

export interface Program {
  name: string
  entry: string
  healthPort: number
  env: Record<string, string>
}

export interface Surroundings {
  ports: Ports
  healthPorts: { operator: number; inventory: number; worker: number }
  kubeconfigs: { operator: string; api: string; inventory: string }
  natsUrl: string
  logLevel: string
  /** The private key that signs receipts and bundles; absent: nothing is signed. */
  releaseKeyFile?: string
  /** Settings of the APIs from the user's environment. */
  apiSettings?: Record<string, string>
  /** Settings of the pricing API alone from the user's environment. */
  pricingSettings?: Record<string, string>
  /** Settings of the worker from the user's environment. */
  workerSettings?: Record<string, string>
}

const traceVariables = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'TRACE_PERCENT'] as const

/** Variables of the APIs that a user can set in the environment of the stack. */
export const apiVariables = ['EXTERNAL_ISSUERS', 'EXTERNAL_ISSUERS_LOOPBACK_HTTP', ...traceVariables] as const

/** The same for the pricing API alone: the records of its quotes. */
export const pricingVariables = [
  'RELEASE_KEYS_FILE',
  'RELEASES_ARCHIVE',
  'DECISION_LOG',
  'DECISION_LOG_ONE_IN',
  'DECISION_LOG_MEGABYTES',
] as const

/** The same for the worker; an empty value counts as unset. */
export const workerVariables = ['IMAGE_ALLOWED_ADDRESSES', ...traceVariables] as const

export const namespace = 'driveaway'
export const clientSecretsNamespace = 'driveaway-clients'

/** The programs of the stack, each with its entry point and its environment. */
export function programs(surroundings: Surroundings): Program[] {
  const { ports, healthPorts, kubeconfigs, natsUrl } = surroundings
  const issuer = `http://127.0.0.1:${ports.pricing}`
  const common = { LOG_LEVEL: surroundings.logLevel, HEALTH_HOST: '127.0.0.1', NAMESPACE: namespace }
  const api = {
    ...common,
    ...surroundings.apiSettings,
    KUBECONFIG: kubeconfigs.api,
    RATES_SOURCE: 'kubernetes',
    HOST: '127.0.0.1',
    PRICING_PORT: String(ports.pricing),
    INVENTORY_PORT: String(ports.inventory),
    ISSUER: issuer,
    AUDIENCE: issuer,
  }
  const operator = {
    ...common,
    KUBECONFIG: kubeconfigs.operator,
    CLIENT_SECRETS_NAMESPACE: clientSecretsNamespace,
    API_HEALTH_URLS: [ports.health, healthPorts.inventory].map((port) => `http://127.0.0.1:${port}`).join(','),
    LEASE_NAME: 'driveaway-operator',
    ISSUER: issuer,
  }
  const inventory = { ...api, KUBECONFIG: kubeconfigs.inventory, SERVE: 'inventory', NATS_URL: natsUrl }
  const pricing = { ...api, ...recordsOf(surroundings), SERVE: 'pricing' }
  const worker = { ...common, ...surroundings.workerSettings, NATS_URL: natsUrl }
  return [
    program('operator', 'operator/main.ts', healthPorts.operator, operator),
    program('pricing', 'api/main.ts', ports.health, pricing),
    program('inventory', 'api/main.ts', healthPorts.inventory, inventory),
    program('worker', 'worker/main.ts', healthPorts.worker, worker),
  ]
}

/** Where pricing has the records of its quotes; NATS only for a decision log in a subject. */
function recordsOf({ pricingSettings = {}, releaseKeyFile = '', natsUrl }: Surroundings): Record<string, string> {
  const needsNats = pricingSettings['DECISION_LOG']?.startsWith('nats:')
  return { ...pricingSettings, RELEASE_KEY_FILE: releaseKeyFile, ...(needsNats && { NATS_URL: natsUrl }) }
}

function program(name: string, entry: string, healthPort: number, env: Record<string, string>): Program {
  return { name, entry, healthPort, env: { ...env, HEALTH_PORT: String(healthPort) } }
}

export interface LaunchOptions {
  root: string
  logDirectory: string
  signal?: AbortSignal
}

/** Starts a program with the same Node and returns when its /readyz succeeds. */
export async function launchProgram(program: Program, options: LaunchOptions): Promise<Child> {
  const { root, logDirectory } = options
  const logFile = join(logDirectory, `${program.name}.log`)
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const child = await startChild({
    name: program.name,
    command: process.execPath,
    args: [join(root, program.entry)],
    cwd: root,
    env: { ...inherited, ...program.env },
    logFile,
    signal: options.signal,
  })
  const url = `http://127.0.0.1:${program.healthPort}/readyz`
  await readyOrGone(child, logFile, (signal) =>
    waitFor(`${program.name} to be ready (${logFile})`, () => isReady(url), {
      timeoutMs: 60_000,
      everyMs: 100,
      signal,
    }),
  )
  return child
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  const body = await response.text()
  if (response.ok) return true
  throw new Error(`/readyz answers ${response.status} ${body}`)
}
