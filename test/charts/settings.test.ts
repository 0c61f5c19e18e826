import type { V1PodTemplateSpec } from '@kubernetes/client-node'
import { beforeAll, expect, test } from 'vitest'
import { configure as configureApi } from '../../api/configuration.ts'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { configure as configureWorker } from '../../worker/configuration.ts'
import { elsewhere, render, tellingClients, valuesOf } from './render.ts'

/*
 * Every setting that a program reads is set by the chart, or stands here with the reason why not. So a setting that a program
 * gains fails this test until somebody decides which of the two it is.
 */
const IN_A_POD = 'the pod has its own: the service account, one host, one port for each purpose'
const BY_SECRET = 'credentials come from the mounted Secret, and never from a value'

/** For what comes of a Secret or a field of the pod: a text, and also headers. */
const BY_REFERENCE = 'x=y'

const WITHOUT: Record<string, Record<string, string>> = {
  operator: {
    ...{ KUBECONFIG: IN_A_POD, HEALTH_PORT: IN_A_POD },
    LEASE_NAME: 'the Role grants this one name',
    API_HEALTH_URLS: 'in a cluster the Services are followed',
  },
  pricing: {
    ...{ KUBECONFIG: IN_A_POD, HEALTH_PORT: IN_A_POD, INVENTORY_PORT: 'it serves pricing alone' },
    ...{ RATES_SOURCE: 'kubernetes', RATES_DIRECTORY: 'not the source', CLIENTS_FILE: 'not the source' },
    EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'for tests on one machine',
    ...{ NATS_REPLICAS: 'of the inventory', NATS_STORE_MEGABYTES: 'of the inventory' },
    VEHICLES_KEPT_DAYS: 'of the inventory',
    ...{ REQUESTS_PER_MINUTE: 'of the inventory', INVENTORY_REPLICAS: 'of the inventory' },
  },
  inventory: {
    ...{ KUBECONFIG: IN_A_POD, HEALTH_PORT: IN_A_POD, PRICING_PORT: 'it serves inventory alone' },
    ...{ RATES_SOURCE: 'kubernetes', RATES_DIRECTORY: 'not the source', CLIENTS_FILE: 'not the source' },
    EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'for tests on one machine',
    PRICING_REQUESTS_PER_MINUTE: 'of pricing',
    ...{ RELEASE_KEY_FILE: 'of pricing', RELEASE_KEYS_FILE: 'of pricing', EXPLORER: 'of pricing' },
    ...{ RELEASES_KEEP_DAYS: 'of pricing', DECISION_LOG: 'of pricing' },
    ...{ DECISION_LOG_ONE_IN: 'of pricing', DECISION_LOG_MEGABYTES: 'of pricing' },
    RELEASES_ARCHIVE: 'of pricing',
  },
  worker: {
    HEALTH_PORT: IN_A_POD,
    GRACE_SECONDS: 'shorter than the grace period of the pod, which is fixed',
    ...{ SMTP_USERNAME: BY_SECRET, SMTP_PASSWORD: BY_SECRET, SMTP_CA_FILE: BY_SECRET, DKIM_KEY_FILE: BY_SECRET },
  },
}

const PROGRAMS = [
  { name: 'operator', read: readOperatorConfiguration },
  { name: 'pricing', read: configureApi },
  { name: 'inventory', read: configureApi },
  { name: 'worker', read: configureWorker },
]

type Read = (env: NodeJS.ProcessEnv) => unknown

/** The names of all variables that a program looks at, whatever it says of their values. */
function readBy(read: Read): string[] {
  const names = new Set<string>()
  const env = new Proxy({}, { get: (_, name) => void names.add(String(name)) })
  try {
    read(env)
  } catch {
    // Without a value for what is required it cannot be configured: every variable was looked at before it says so.
  }
  return [...names].sort()
}

const key = JSON.stringify([{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid: 'a', environment: 'staging' }])
const external = JSON.stringify([{ issuer: 'https://a.example/', audiences: ['b'], jwksUri: 'https://a.example/keys' }])
const everything = [
  ...['--set', 'attestation.signing.enabled=true', '--set', 'attestation.signing.keySecretName=attestation-key'],
  ...['--set', 'promotion.required=true', '--set-json', `promotion.trustedKeys=${key}`],
  ...['--set', 'releases.keySecretName=release-key', '--set', 'explorer.enabled=true'],
  ...['--set', 'decisionLog.enabled=true', '--set', 'nats.secrets.pricing[0]=nats-pricing'],
  ...['--set', 'releases.archive.claimName=releases'],
  ...['--set', 'issuer.audience=driveaway', '--set-json', `issuer.external=${external}`],
  ...['--set', 'worker.imageAllowedAddresses[0]=10.0.0.0/8'],
  ...['--set', 'tracing.endpoint=http://collector:4318', '--set', 'tracing.headersSecretName=collector'],
  ...elsewhere,
]

const pods = new Map<string, Record<string, string>>()
beforeAll(async () => {
  const objects = await render('driveaway', 'staging', [...valuesOf('staging'), ...tellingClients, ...everything])
  for (const { kind, metadata, spec } of objects as { kind: string; metadata: { name: string }; spec: object }[]) {
    if (kind !== 'Deployment') continue
    const { template } = spec as { template: V1PodTemplateSpec }
    const env = template.spec?.containers[0]?.env ?? []
    pods.set(
      metadata.name.replace('driveaway-', ''),
      Object.fromEntries(env.map((one) => [one.name, one.value ?? BY_REFERENCE])),
    )
  }
})

test.each(PROGRAMS)('the chart sets everything that $name reads, but for what is named here', ({ name, read }) => {
  const [known, set] = [readBy(read), Object.keys(pods.get(name) ?? {})]
  expect(known.length).toBeGreaterThan(15)
  expect(known.filter((each) => !set.includes(each))).toEqual(Object.keys(WITHOUT[name]!).sort())
})

test.each(PROGRAMS)('nothing is set for $name that it does not read', ({ name, read }) => {
  // Of Node and the C library, and one of the variables of NATS that the templates set together.
  const ofMemory = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
  const known = [...readBy(read), ...ofMemory, 'NATS_STORE_MEGABYTES']
  expect(Object.keys(pods.get(name) ?? {}).filter((each) => !known.includes(each))).toEqual([])
})

test('a value is what the program reads, and the values of the chart are the defaults of the programs', async () => {
  const changed = {
    ...{ 'notices.smtp.connections': '7', 'notices.smtp.connectSeconds': '8', 'notices.smtp.timeoutSeconds': '60' },
    ...{
      'notices.retry.seconds': '30',
      'notices.retry.giveUpSeconds': '1000000',
      'notices.pagesUrl': 'https://p.example',
    },
    ...{
      'worker.settings.batchesAtOnce': '9',
      'tracing.endpoint': 'https://otel.example',
      'tracing.percent': '7',
      'operator.settings.signingKeySeconds': '5000000',
    },
  }
  const set = Object.entries(changed).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const objects = await render('driveaway', 'staging', [...valuesOf('staging'), ...tellingClients, ...set])
  const envOf = (name: string) => {
    const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === `driveaway-${name}`)
    const { template } = (found as unknown as { spec: { template: V1PodTemplateSpec } }).spec
    return Object.fromEntries(
      (template.spec?.containers[0]?.env ?? []).map((one) => [one.name, one.value ?? BY_REFERENCE]),
    )
  }
  expect(configureWorker(envOf('worker'))).toMatchObject({
    ...{ smtpConnections: 7, smtpConnectSeconds: 8, smtpTimeoutSeconds: 60, batchesAtOnce: 9 },
    ...{ noticeRetrySeconds: 30, noticeGiveUpSeconds: 1_000_000, noticesPagesUrl: 'https://p.example' },
    ...{ otlpEndpoint: 'https://otel.example', tracePercent: 7 },
  })
  expect(configureApi(envOf('inventory'))).toMatchObject({ otlpEndpoint: 'https://otel.example', tracePercent: 7 })
  expect(readOperatorConfiguration(envOf('operator')).signingKeySeconds).toBe(5_000_000)
  const { imagesAtOnce, noticeGiveUpSeconds, smtpTimeoutSeconds, smtpConnectSeconds, tracePercent } = configureWorker(
    {},
  )
  expect(configureWorker(pods.get('worker')!)).toMatchObject({
    ...{ imagesAtOnce, noticeGiveUpSeconds, smtpTimeoutSeconds, smtpConnectSeconds, tracePercent },
    noticesPagesUrl: pods.get('pricing')?.ISSUER,
  })
  const { checkMegabytes, leaseSeconds, signingKeySeconds } = readOperatorConfiguration(envOf('operator'))
  expect({ checkMegabytes, leaseSeconds, signingKeySeconds }).toEqual({
    ...{ checkMegabytes: 128, leaseSeconds: 15, signingKeySeconds: 5_000_000 },
  })
})
