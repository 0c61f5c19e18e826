import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { waitFor } from '../harness/wait-for.ts'
import { charts } from '../charts/render.ts'
import { sedan } from '../stack/quotes.ts'
import { REGISTRY, TAG } from './images.ts'
import { run } from './run.ts'

const root = join(import.meta.dirname, '../..')

/** One installed release, its namespace named like it, and where it is reached. */
export interface Release {
  name: string
  kubeconfig: string
  pricingUrl: string
  inventoryUrl: string
}

/** What both releases of the suite share: images of this tree, little of everything, messages kept in the pod. */
const VALUES = [
  `image.registry=${REGISTRY}`,
  ...['platform', 'worker', 'nats'].map((name) => `image.${name}.tag=${TAG}`),
  ...['operator', 'pricing', 'inventory', 'worker', 'nats.embedded'].map(
    (name) => `${name}.resources.requests.cpu=10m`,
  ),
  'nats.embedded.storage.ephemeral=true',
  'nats.storeMegabytes=512',
  'explorer.enabled=true',
]

export async function kubectl({ name, kubeconfig }: Release, args: string[], input?: string): Promise<string> {
  const env = { KUBECONFIG: kubeconfig }
  return run(await ensureBinary('kubectl'), ['-n', name, ...args], { env, ...(input !== undefined && { input }) })
}

export async function helm({ name, kubeconfig }: Release, args: string[]): Promise<string> {
  return run(await ensureBinary('helm'), ['-n', name, ...args], { env: { KUBECONFIG: kubeconfig } })
}

/** Installs or upgrades the release; untilReady waits for it. */
export async function install(release: Release, values: string[] = [], more: string[] = []): Promise<void> {
  const { name } = release
  const own = [`environment=${name}`, `issuer.url=https://pricing.${name}.driveaway.example`]
  const set = [...VALUES, ...own, ...values].flatMap((value) => ['--set', value])
  // Ready without rates is not ready: what waits for the pods comes after the rate sets.
  await helm(release, ['upgrade', '--install', name, join(charts, 'driveaway'), ...set, ...more])
}

export async function untilReady(release: Release): Promise<void> {
  const deployments = (await kubectl(release, ['get', 'deployments,statefulsets', '-o', 'name'])).trim().split('\n')
  for (const each of deployments) await kubectl(release, ['rollout', 'status', each, '--timeout=240s'])
  for (const url of [release.pricingUrl, release.inventoryUrl]) await untilAnswering(url)
}

/** kube-proxy learns of a ready pod later than kubectl does, and the node closes each connection until then. */
const untilAnswering = (url: string) =>
  waitFor(`an answer of ${url}`, async () => (await fetch(`${url}/spec`)).ok, { timeoutMs: 30_000, everyMs: 250 })

/** Applies the committed rate sets and the demo clients, which say another namespace. */
export async function applyContent(release: Release): Promise<void> {
  const files = globSync(['rates/sets/**/*.yaml', 'test/demo/clients/*.yaml'], { cwd: root })
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'))
  const moved = texts.map((text) => text.replace('namespace: driveaway', `namespace: ${release.name}`))
  await kubectl(release, ['apply', '--server-side', '--force-conflicts', '-f', '-'], moved.join('\n---\n'))
}

/** The secret that the operator made for a client. */
export function secretOf(release: Release, client: string): Promise<string> {
  return waitFor(
    `the secret of ${client}`,
    async () => {
      const place = ['-n', `${release.name}-clients`, 'get', 'secret', client, '-o', 'jsonpath={.data.clientSecret}']
      return Buffer.from(await kubectl(release, place), 'base64').toString()
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )
}

/** A bearer token of a client, from the release's own token endpoint. */
export async function tokenOf(release: Release, client: string): Promise<string> {
  const basic = Buffer.from(`${client}:${await secretOf(release, client)}`).toString('base64')
  const response = await fetch(`${release.pricingUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`no token for ${client}: ${response.status}`)
  return token
}

/** The plates, in cents, of the suite's quote, asked for from outside the cluster. */
export async function platesOf(release: Release): Promise<number | undefined> {
  const response = await fetch(`${release.pricingUrl}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(release, 'dealer')}`, 'content-type': 'application/json' },
    body: JSON.stringify(sedan),
  })
  const { categories } = (await response.json()) as { categories: { onRoad: { component: string; value: number }[] } }
  return categories.onRoad.find(({ component }) => component === 'PLATES')?.value
}
