import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'
import { ensureBinary } from '../../tools/binaries/ensure.ts'

export const charts = join(import.meta.dirname, '../../charts')
const KUBERNETES = ['--kube-version', '1.34.0']
/** Where the images are is said by whoever installs. */
const INSTALLED = ['--set', 'image.registry=registry.example/team']

/** The environments that the chart has values for. */
export const environments = readdirSync(join(charts, 'driveaway/environments')).map((file) => file.replace('.yaml', ''))

/** The values of an environment, as the chart has them. */
export const shippedValuesOf = (environment: string) => [
  '--values',
  join(charts, 'driveaway/environments', `${environment}.yaml`),
]

/** Values with a key whose attestations count. */
export const trusting = [
  '--set-json',
  `promotion.trustedKeys=${JSON.stringify([
    { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid: 'staging-1', environment: 'staging' },
  ])}`,
]

/** The values of an environment, with the key that production needs from whoever installs it. */
export const valuesOf = (environment: string) => [
  ...shippedValuesOf(environment),
  ...(environment.startsWith('production') ? trusting : []),
]

const ownOf = (chart: string) => (chart === 'driveaway' ? INSTALLED : [])

/** Runs helm; rejects with what it wrote to its standard error. */
export async function helm(args: string[]): Promise<string> {
  const run = promisify(execFile)(await ensureBinary('helm'), args, { maxBuffer: 64 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stderr: string; stdout: string }) => {
    throw new Error(`${error.stderr}${error.stdout}`)
  })
  return stdout
}

export const lint = (chart: string, values: string[]) =>
  helm(['lint', '--strict', join(charts, chart), ...ownOf(chart), ...values, ...KUBERNETES])

/** The objects that a chart renders in `namespace`. */
export async function render(chart: string, namespace: string, values: string[] = []): Promise<KubernetesObject[]> {
  const text = await helm([
    'template',
    'release',
    join(charts, chart),
    '-n',
    namespace,
    ...ownOf(chart),
    ...values,
    ...KUBERNETES,
  ])
  // YAML 1.1, as Kubernetes reads it.
  const documents = parseAllDocuments(text, { version: '1.1', merge: false })
  return documents.map((document) => document.toJS() as KubernetesObject).filter(Boolean)
}

/** Values of a release that tells its clients. */
export const tellingClients = [
  ['enabled', 'true'],
  ['from', 'rates@driveaway.example'],
  ['smtp.host', 'smtp.driveaway.example'],
  ['smtp.secretName', 'smtp'],
  ['signing.keySecretName', 'notices-key'],
  ['signing.trustedKeys[0].kid', 'notices-2026'],
].flatMap(([name, value]) => ['--set', `notices.${name}=${value}`])

/** Values of a release whose NATS is somebody else's, with a login and a certificate for each program. */
export const elsewhere = [
  ...[
    '--set',
    'nats.embedded.enabled=false',
    '--set',
    'nats.url=tls://nats.example:4222',
    '--set',
    'nats.tls=required',
    '--set',
    'worker.keda.monitoringEndpoint=nats.example:8222',
  ],
  ...['operator', 'inventory', 'worker'].flatMap((name) => [
    ...['--set', `nats.secrets.${name}[0]=nats-${name}`, '--set', `nats.secrets.${name}[1]=nats-ca`],
  ]),
]
