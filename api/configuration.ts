import { storageVariables, type StorageConfiguration } from '#inventory/storage-settings.ts'
import {
  choice,
  ConfigurationError,
  flag,
  integer,
  port,
  readConfiguration,
  seconds,
  text,
  type Setting,
} from '#runtime/configuration.ts'
import { natsVariables, type NatsConfiguration } from '#runtime/nats/settings.ts'
import { tracingVariables, type TracingConfiguration } from '#runtime/tracing/settings.ts'
import { parseAllowList, type ExternalIssuer } from './auth/issuer-allow-list.ts'

/** Settings of the API program, one environment variable each. */
export interface Configuration extends StorageConfiguration, NatsConfiguration, TracingConfiguration {
  serve: 'pricing' | 'inventory' | 'both'
  host: string
  pricingPort: number
  inventoryPort: number
  /** Seconds in which a stopping server asks its callers to disconnect before it closes their connections. */
  drainSeconds: number
  /**
   * Number of proxies in front of the APIs that append to X-Forwarded-For, such as an ingress controller; 0: that
   * header is ignored.
   */
  proxyHops: number
  healthHost: string
  healthPort: number
  ratesSource: 'kubernetes' | 'directory'
  ratesDirectory: string
  clientsFile: string
  namespace: string
  /** Path of a kubeconfig; empty: the default locations, then the pod's service account. */
  kubeconfig: string
  issuer: string
  audience: string
  /** Issuers besides ourselves whose tokens are accepted; no object in the cluster can add one. */
  externalIssuers: readonly ExternalIssuer[]
  /** The private release key, and the published public ones; empty: nothing is signed. */
  releaseKeyFile: string
  releaseKeysFile: string
  /** A folder of bundles: releases that the cluster does not keep; empty: none. */
  releasesArchive: string
  /** Whom the rate explorer at /explore shows the rates; off: there is no explorer. */
  explorer: 'off' | 'clients' | 'public'
  /** Days for which the operator keeps a release after the next one. */
  releasesKeepDays: number
  /** Where a sample of the priced requests is written: file:PATH or nats:SUBJECT; empty: nowhere. */
  decisionLog: string
  /** One request of so many is written. */
  decisionLogOneIn: number
  /** Megabytes that the file, or the stream, may take. */
  decisionLogMegabytes: number
  /** Inventory requests that one client may make in a minute, over all replicas. */
  requestsPerMinute: number
  /** Pricing requests that one client may make of this process in a minute; 0: unlimited. */
  pricingRequestsPerMinute: number
  /** Number of replicas that serve inventory; while NATS is away each allows its share of the requests. */
  inventoryReplicas: number
  logLevel: string
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

interface Raw extends Omit<Configuration, 'externalIssuers'> {
  externalIssuers: string
  externalIssuersLoopbackHttp: boolean
}

/** What is kept of quotes: their releases, their signatures and a sample of them. */
const recordVariables = {
  releaseKeyFile: text({ env: 'RELEASE_KEY_FILE', default: '' }),
  releaseKeysFile: text({ env: 'RELEASE_KEYS_FILE', default: '' }),
  releasesKeepDays: integer({ env: 'RELEASES_KEEP_DAYS', default: 400, min: 0, max: 36_500 }),
  releasesArchive: text({ env: 'RELEASES_ARCHIVE', default: '' }),
  decisionLog: destination(text({ env: 'DECISION_LOG', default: '' })),
  decisionLogOneIn: integer({ env: 'DECISION_LOG_ONE_IN', default: 100, min: 1, max: 1_000_000 }),
  decisionLogMegabytes: integer({ env: 'DECISION_LOG_MEGABYTES', default: 64, min: 1, max: 1_000_000 }),
}

function destination(setting: Setting<string>): Setting<string> {
  const isKnown = (value: string) => value === '' || /^file:.|^nats:[\w-]+(\.[\w-]+)*$/.test(value)
  return {
    ...setting,
    parse: (value) => (isKnown(value) ? value : undefined),
    expected: 'file:PATH or nats:SUBJECT',
  }
}

/** Reads the environment; throws one error that lists every fault. */
export function configure(env: NodeJS.ProcessEnv): Readonly<Configuration> {
  const read = readConfiguration<Raw>(env, {
    serve: choice({ env: 'SERVE', values: ['pricing', 'inventory', 'both'], default: 'both' }),
    host: text({ env: 'HOST', default: '127.0.0.1' }),
    pricingPort: port({ env: 'PRICING_PORT', default: 8080 }),
    inventoryPort: port({ env: 'INVENTORY_PORT', default: 8081 }),
    drainSeconds: seconds({ env: 'DRAIN_SECONDS', default: 0, max: 60 }),
    proxyHops: integer({ env: 'PROXY_HOPS', default: 0, min: 0, max: 10 }),
    healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
    healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
    ratesSource: choice({ env: 'RATES_SOURCE', values: ['kubernetes', 'directory'], default: 'kubernetes' }),
    ratesDirectory: text({ env: 'RATES_DIRECTORY', default: 'rates/sets' }),
    clientsFile: text({ env: 'CLIENTS_FILE', default: '' }),
    namespace: text({ env: 'NAMESPACE', default: 'driveaway' }),
    kubeconfig: text({ env: 'KUBECONFIG', default: '' }),
    issuer: text({ env: 'ISSUER', default: '' }),
    audience: text({ env: 'AUDIENCE', default: '' }),
    externalIssuers: text({ env: 'EXTERNAL_ISSUERS', default: '[]' }),
    externalIssuersLoopbackHttp: flag({ env: 'EXTERNAL_ISSUERS_LOOPBACK_HTTP', default: false }),
    ...recordVariables,
    explorer: choice({ env: 'EXPLORER', values: ['off', 'clients', 'public'], default: 'off' }),
    ...natsVariables,
    ...storageVariables,
    ...tracingVariables,
    requestsPerMinute: integer({ env: 'REQUESTS_PER_MINUTE', default: 10_000, min: 1 }),
    pricingRequestsPerMinute: integer({ env: 'PRICING_REQUESTS_PER_MINUTE', default: 0, min: 0 }),
    inventoryReplicas: integer({ env: 'INVENTORY_REPLICAS', default: 1, min: 1 }),
    logLevel: choice({ env: 'LOG_LEVEL', values: LEVELS, default: 'info' }),
  })
  const { externalIssuers, externalIssuersLoopbackHttp: allowLoopbackHttp, ...settings } = read
  const issuer = read.issuer || `http://127.0.0.1:${read.pricingPort}`
  const { issuers, faults } = parseAllowList(externalIssuers, { ownIssuer: issuer, allowLoopbackHttp })
  if (faults.length > 0) throw new ConfigurationError(faults.map((fault) => `EXTERNAL_ISSUERS: ${fault}`))
  return Object.freeze({ ...settings, issuer, audience: read.audience || issuer, externalIssuers: issuers })
}
