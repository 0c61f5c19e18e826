import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject, V1PodTemplateSpec, V1Role } from '@kubernetes/client-node'
import { parse, parseAllDocuments } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { collectionPathOf } from '#runtime/kube/resource-path.ts'
import { readTrustedKeys } from '../../operator/attestation/trusted-keys.ts'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { installPublishedKinds } from './published-kinds.ts'
import { charts, elsewhere, environments, helm, lint, render, tellingClients, trusting, valuesOf } from './render.ts'

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await installPublishedKinds(plane.kubeConfig)
}, 120_000)
afterAll(() => plane.stop())

const attesting = [
  ...['--set', 'attestation.signing.enabled=true', '--set', 'attestation.signing.keySecretName=attestation-key'],
  ...['--set', 'promotion.required=true', ...trusting],
]

const everything = [
  ...['monitoring.serviceMonitor.enabled', 'monitoring.alerts.enabled', 'monitoring.dashboard.enabled'],
  ...['worker.keda.enabled', 'httpRoute.enabled'],
].flatMap((name) => ['--set', `${name}=true`])

/** Sends an object as `kubectl apply --dry-run=server` does, unknown fields refused; nothing is stored. */
async function refusalOf(object: KubernetesObject, namespace: string): Promise<string | undefined> {
  const { apiVersion = '', kind = '', metadata } = object
  const place = metadata?.namespace ?? namespace
  const path = await collectionPathOf(plane.kubeConfig, {
    ...{ apiVersion, kind, metadata: { name: metadata?.name ?? '', namespace: place } },
  })
  try {
    const query = { dryRun: 'All', fieldValidation: 'Strict' }
    await requestKube(plane.kubeConfig, { method: 'POST', path, query, body: object })
    return undefined
  } catch (error) {
    if (error instanceof KubeApiError) return `${kind} ${metadata?.name}: ${error.message}`
    throw error
  }
}

async function makeNamespace(name: string, labels: Record<string, string> = {}): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  await applyObject(plane.kubeConfig, namespace, { fieldManager: 'test', force: true })
}

test.each(environments)('the values of %s pass the linter', async (environment) => {
  expect(await lint('driveaway', valuesOf(environment))).toContain('0 chart(s) failed')
})

test('the chart of the kinds passes the linter', async () => {
  expect(await lint('driveaway-crds', [])).toContain('0 chart(s) failed')
})

test.each(environments)('a real API server takes every object of %s', async (environment) => {
  await makeNamespace(environment)
  await makeNamespace(`${environment}-clients`)
  const objects = await render('driveaway', environment, [
    ...[...valuesOf(environment), ...attesting, ...everything, ...tellingClients],
  ])
  const others = objects.filter(({ kind }) => kind !== 'Namespace' && kind !== 'Pod')
  const refusals = await Promise.all(others.map((object) => refusalOf(object, environment)))
  expect(refusals.filter(Boolean)).toEqual([])
  const kinds = new Set(others.map(({ kind }) => kind))
  for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ScaledObject', 'HTTPRoute']) expect(kinds).toContain(kind)
})

test('a real API server takes the pods that have logins of a NATS elsewhere', async () => {
  await makeNamespace('elsewhere')
  const objects = await render('driveaway', 'elsewhere', [...valuesOf('staging'), ...tellingClients, ...elsewhere])
  const pods = objects.filter(({ kind }) => kind === 'Deployment')
  const refusals = await Promise.all(pods.map((object) => refusalOf(object, 'elsewhere')))
  expect(refusals).toEqual(pods.map(() => undefined))
  expect(pods.filter((pod) => JSON.stringify(pod).includes('"projected"')).length).toBe(3)
})

test('every pod runs under the restricted profile, which a pod that is not is refused by', async () => {
  await makeNamespace('restricted', { 'pod-security.kubernetes.io/enforce': 'restricted' })
  const objects = await render('driveaway', 'restricted', valuesOf('staging'))
  const pods = objects.map(podOf).filter((pod) => pod !== undefined)
  expect(pods.length).toBe(6)
  for (const pod of pods) await makeAccount(pod.spec?.serviceAccountName ?? 'default')
  expect((await Promise.all(pods.map((pod) => refusalOf(pod, 'restricted')))).filter(Boolean)).toEqual([])
  const lax = { ...pods[0], spec: { ...pods[0]?.spec, securityContext: {} } }
  expect(await refusalOf(lax as KubernetesObject, 'restricted')).toContain('violates PodSecurity "restricted')
})

async function makeAccount(name: string): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'restricted' } }
  await applyObject(plane.kubeConfig, account, { fieldManager: 'test', force: true })
}

function podOf(object: KubernetesObject): (KubernetesObject & Partial<V1PodTemplateSpec>) | undefined {
  if (object.kind === 'Pod') return object
  const template = (object as { spec?: { template?: V1PodTemplateSpec } }).spec?.template
  if (!template) return undefined
  // The volume of a claim stands in for the claim, which only a controller makes.
  const volumes = (template.spec?.volumes ?? []).filter(({ name }) => name !== 'data')
  const spec = { ...template.spec, volumes: [...volumes, { name: 'data', emptyDir: {} }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: object.metadata?.name }, spec } as KubernetesObject
}

test.each([
  ['a key that is not known', ['--set', 'pricing.replica=3'], "additional properties 'replica' not allowed"],
  ['an issuer without https', ['--set', 'issuer.url=http://example'], 'issuer/url'],
  ['no issuer', ['--set', 'issuer.url='], 'issuer/url'],
  ['two copies of NATS', ['--set', 'nats.embedded.replicas=2'], 'nats/embedded/replicas'],
  ['no NATS at all', ['--set', 'nats.embedded.enabled=false'], 'nats.url: the address of a NATS server is required'],
  ['an archive without keys', ['--set', 'releases.archive.claimName=releases'], 'releases/keySecretName'],
  ['attesting without a key', ['--set', 'attestation.signing.keySecretName='], 'attestation/signing/keySecretName'],
  [
    'a trusted key that is private',
    ['--set-json', 'promotion.trustedKeys=[{"kty":"OKP","crv":"Ed25519","d":"secret"}]'],
    "additional properties 'd' not allowed",
  ],
  ['an Ingress without a certificate', ['--set', 'ingress.tlsSecretName='], 'ingress.tlsSecretName'],
])('%s is refused with what was expected', async (_, values, message) => {
  await expect(render('driveaway', 'staging', [...valuesOf('staging'), ...values])).rejects.toThrow(message)
})

test('the operator reads the attestation key from its mount, and whom to trust as its configuration expects', async () => {
  const objects = await render('driveaway', 'staging', [...valuesOf('staging'), ...attesting])
  const operator = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata?.name === 'driveaway-operator',
  )
  const pod = (operator as { spec?: { template?: V1PodTemplateSpec } }).spec?.template?.spec
  const [container] = pod?.containers ?? []
  const env = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value ?? name]))
  const { attestationKeyFile, ...read } = readOperatorConfiguration(env)
  expect(read).toMatchObject({
    ...{ environment: 'staging', attestationSoakSeconds: 3600 },
    ...{ promotionRequired: true, promotionEnvironments: ['staging'] },
  })
  const trusted = await readTrustedKeys(read.promotionTrustedKeys)
  expect([trusted.faults, trusted.keys.map(({ kid }) => kid)]).toEqual([[], ['staging-1']])
  const mount = container?.volumeMounts?.find(({ mountPath }) => attestationKeyFile === `${mountPath}/key.json`)
  const volume = pod?.volumes?.find(({ name }) => name === mount?.name)
  expect(volume?.secret).toEqual({ secretName: 'attestation-key', defaultMode: 0o440 })
})

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | object
}

test('every value has a description, and every value of the file is one that the schema knows', () => {
  const read = (file: string) => readFileSync(join(charts, 'driveaway', file), 'utf8')
  const missing: string[] = []
  const walk = (schema: Schema, values: unknown, path: string) => {
    if (!schema.description) missing.push(`${path} has no description`)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const value = (values as Record<string, unknown> | undefined)?.[name]
      if (value === undefined && name !== 'global') missing.push(`${path}.${name} is not in values.yaml`)
      walk(inner, value, `${path}.${name}`)
    }
  }
  walk(JSON.parse(read('values.schema.json')) as Schema, parse(read('values.yaml')), '')
  expect(missing).toEqual([])
})

test.each(['operator', 'api'])(
  'the rights of the %s are those that the local stack and its tests run with',
  async (program) => {
    const file = join(import.meta.dirname, `../../tools/stack/rbac/${program}.yaml`)
    const local = parseAllDocuments(readFileSync(file, 'utf8')).map((each) => each.toJS() as KubernetesObject)
    const rendered = await render('driveaway', 'driveaway', valuesOf('dev'))
    const rulesOf = (objects: KubernetesObject[]) =>
      objects
        .filter(({ kind, metadata }) => kind === 'Role' && metadata?.name === `driveaway-${program}`)
        .map((role) => ({ namespace: role.metadata?.namespace ?? 'driveaway', rules: (role as V1Role).rules }))
    expect(rulesOf(rendered)).toEqual(rulesOf(local))
  },
)

test('the kinds are kept when their release is uninstalled', async () => {
  const objects = await render('driveaway-crds', 'default')
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
  expect(definitions.map(({ metadata }) => metadata?.annotations?.['helm.sh/resource-policy'])).toEqual([
    'keep',
    'keep',
  ])
})

test('helm shows what each value means', async () => {
  expect(await helm(['show', 'values', join(charts, 'driveaway')])).toContain('values.schema.json')
})

test('every metric that an alert or the dashboard asks for is one that a program shows', () => {
  const root = join(charts, '..')
  const sources = globSync(
    ['operator', 'api', 'inventory', 'worker', 'runtime', 'nats-exporter'].map((room) => `${room}/**/*.ts`),
    { cwd: root },
  )
  const shown = new Set(sources.flatMap((file) => metricsIn(readFileSync(join(root, file), 'utf8'))))
  const asking = ['templates/monitoring/alerts.yaml', 'files/dashboard.json']
  const asked = asking.flatMap((file) => metricsIn(readFileSync(join(charts, 'driveaway', file), 'utf8')))
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((name) => !shown.has(name.replace(/_bucket$/, '')))).toEqual([])
})

const metricsIn = (text: string) => text.match(/\bdriveaway_[a-z_]+/g) ?? []
