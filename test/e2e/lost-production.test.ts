import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { stringify } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { signAttestation, type TrustedKey } from '#rates/published/attestation.ts'
import { writeOverlay } from '../../cli/promotion/overlay.ts'
import { charts } from '../charts/render.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { sedan } from '../stack/quotes.ts'
import { withNatsOf } from './port-forward.ts'
import { setsOf } from './published.ts'
import { askForQuotes, secretsOf } from './recovery.ts'
import { helm, install, kubectl, secretOf, tokenOf, untilReady } from './release.ts'
import { startRepository, type Repository } from './repository.ts'
import { timed } from './run.ts'
import { createNamespace, exposeOnNode } from './setup.ts'

// Production is lost with its namespaces while staging is gone, and is made again from Git and a backup (docs/disaster.md).
const staging = inject('staging')
const production = inject('production')
const CLIENTS = `${production.name}-clients`
const APAC = 'rates/overlays/production-apac'
const KID = 'staging-2024'
const TWO_YEARS = 2 * 365 * 24 * 3600
const folder = temporaryDirectory('lost-production')
const at = (name: string) => join(folder.path, name)

let repository: Repository
let gate: string[]
let before: Awaited<ReturnType<typeof stateOf>>
let ofStaging: [name: string, replicas: number][] = []
let token: string
let jobId: string
let asking: ReturnType<typeof askForQuotes> | undefined

beforeAll(async () => {
  repository = await startRepository(folder.path, { staging, 'production-apac': production })
  const printed = await repository.driveaway(
    ...['attestation-key', '--environment', 'staging', '--kid', KID, '--out', 'key.json', '--output', 'json'],
  )
  await attestTwoYearsAgo()
  const promotion = { required: true, environments: ['staging'], trustedKeys: [JSON.parse(printed.stdout)] }
  writeFileSync(at('gate.yaml'), stringify({ promotion }))
  gate = ['--reuse-values', '--values', at('gate.yaml')]
  await helm(production, ['upgrade', production.name, join(charts, 'driveaway'), ...gate])
  await kubectl(production, ['rollout', 'status', 'deployment/driveaway-operator', '--timeout=120s'])
  await repository.sync('production-apac')
  await untilAllReady()
  token = await tokenOf(production, 'dealer')
  jobId = await upload()
  before = await stateOf()
  ofStaging = await replicasOfStaging()
  await scaleStaging(ofStaging.map(([name]) => [name, 0]))
})
afterAll(async () => {
  await asking?.end()
  await scaleStaging(ofStaging)
  // The next file begins with a release that asks for no attestation.
  const off = ['--set', 'promotion.required=false', '--set-json', 'promotion.trustedKeys=[]']
  await helm(production, ['upgrade', production.name, join(charts, 'driveaway'), '--reuse-values', ...off])
  for (const release of [staging, production]) await untilReady(release)
  folder.remove()
})

/** The word of staging on every rate set of the repository, given two years ago by the clock of this test. */
async function attestTwoYearsAgo(): Promise<void> {
  const { kid, ...jwk } = JSON.parse(readFileSync(at('key.json'), 'utf8')) as JWK & { kid: string }
  const key = (await importJWK(jwk, 'EdDSA')) as TrustedKey['key']
  const iat = Math.floor(Date.now() / 1000) - TWO_YEARS
  const files = readRateSets([at('rates/sets')])
  const { digests } = compileRateSets(files)
  const attestations = await Promise.all(
    files.map(async ({ name, spec }) => {
      const { pricingCode, financialYear } = spec as RateSetSpec
      const claims = { pricingCode, financialYear, digest: digests[name] ?? '', environment: 'staging', iat }
      return [name, await signAttestation(claims, { kid, key })] as const
    }),
  )
  writeOverlay(at(APAC), new Map(attestations))
}

const untilAllReady = () =>
  waitFor(
    'every rate set of production to be ready',
    async () => {
      const said = [...(await setsOf(production)).values()].map(({ conditions }) => conditions['Ready'] ?? '')
      const wrong = said.find((words) => !words.startsWith('True'))
      if (wrong !== undefined || said.length === 0) throw new Error(wrong ?? 'none is seen yet')
      return true
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )

/** The deployments of staging with their replicas. */
async function replicasOfStaging(): Promise<[name: string, replicas: number][]> {
  const columns = 'custom-columns=:metadata.name,:spec.replicas'
  const lines = (await kubectl(staging, ['get', 'deployments', '--no-headers', '-o', columns])).trim().split('\n')
  return lines.map((line) => line.trim().split(/ +/)).map(([name = '', replicas]) => [name, Number(replicas)])
}

async function scaleStaging(wanted: readonly [name: string, replicas: number][]): Promise<void> {
  for (const [name, replicas] of wanted)
    await kubectl(staging, ['scale', `deployment/${name}`, `--replicas=${replicas}`])
}

async function upload(): Promise<string> {
  const headers = {
    authorization: `Bearer ${await tokenOf(production, 'uploader')}`,
    'content-type': 'application/json',
  }
  const vehicle = { source_id: 'lost-1', make: 'Kia', model: 'EV5' }
  const items = [{ showroom_ids: ['5b0f7a52-6f0e-4a59-9d5a-6a8f5d2a3c11'], assets: [], vehicle }]
  const body = JSON.stringify({ source_name: 'e2e', items })
  const response = await fetch(`${production.inventoryUrl}/batch`, { method: 'POST', headers, body })
  const { job_id: id } = (await response.json()) as { job_id: string }
  await waitFor('the job', async () => (await jobOf(id)).status === 'completed', { timeoutMs: 120_000, everyMs: 250 })
  return id
}

async function jobOf(id: string): Promise<{ status?: string }> {
  const authorization = `Bearer ${await tokenOf(production, 'uploader')}`
  const response = await fetch(`${production.inventoryUrl}/jobs/${id}`, { headers: { authorization } })
  return (await response.json()) as { status?: string }
}

/** All that must be there again: digests, secrets, a quote to the byte, a job and a vehicle. */
async function stateOf() {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify(sedan) }
  const response = await fetch(`${production.pricingUrl}/v1/quote`, asked)
  const vehicles = await withNatsOf(production, 'admin', (nats) =>
    repository.driveaway('vehicles', '--client', 'uploader', '--nats', nats, '--output', 'json'),
  )
  return {
    digests: new Map([...(await setsOf(production))].map(([name, { digest }]) => [name, digest])),
    secret: await secretOf(production, 'dealer'),
    quote: [response.status, await response.text()],
    job: await jobOf(jobId),
    vehicles: vehicles.stdout,
  }
}

/** Runs the command against production; throws where the exit code is not 0. */
async function driveaway(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await repository.driveaway(...args)
  if (code !== 0) throw new Error(`driveaway ${args[0]} ended with ${code}\n${stderr}${stdout}`)
  return stdout
}

test('production is rebuilt from Git and a backup: same digests, same tokens, jobs and vehicles', async () => {
  const recipient = (await driveaway('backup-key', '--out', 'identity.txt')).trim()
  const places = ['--context', 'production-apac', '--clients-namespace', CLIENTS]
  const opening = ['--identity', 'identity.txt']
  await withNatsOf(production, 'backup', (nats) =>
    driveaway('backup', 'kept', '--recipient', recipient, '--nats', nats, ...places),
  )

  const secrets = await secretsOf(production)

  await timed('production is lost', async () => {
    await helm(production, ['uninstall', production.name, '--wait'])
    await kubectl(production, ['delete', 'namespace', production.name, CLIENTS, '--timeout=240s'])
  })

  asking = askForQuotes(production, token)
  await timed('production is rebuilt', async () => {
    for (const name of [production.name, CLIENTS]) await createNamespace(production, name)
    await driveaway('restore', 'kept', ...opening, ...places)
    const own = ['operator.replicas=1', 'pricing.replicas=1', 'inventory.replicas=1']
    await install(production, own, ['--values', at('gate.yaml'), '--take-ownership'])
    for (const api of ['pricing', 'inventory'] as const) await exposeOnNode(production, api)
    for (const each of ['statefulset/driveaway-nats', 'deployment/driveaway-worker'])
      await kubectl(production, ['rollout', 'status', each, '--timeout=240s'])
    await withNatsOf(production, 'admin', (nats) => driveaway('restore', 'kept', ...opening, '--nats', nats))
    await repository.sync('production-apac')
    await untilReady(production)
    await untilAllReady()
  })

  expect(await stateOf()).toEqual(before)
  const { minutes, quotes, failed } = await asking.end()
  const after = await secretsOf(production)
  const renewed = [...secrets].filter(([name, value]) => after.get(name) !== value).map(([name]) => name)
  const lines = [
    `minutes from a destroyed production to its first quote: ${minutes.toFixed(1)}`,
    `failed quotes: ${failed} of the ${quotes} from the first one on`,
    `clients that needed a new secret: ${renewed.length} of ${secrets.size}`,
  ]
  for (const line of lines) process.stderr.write(`e2e: ${line}\n`)
  expect(secrets.size).toBeGreaterThan(1)
  expect([failed, renewed]).toEqual([0, []])
  expect(minutes).toBeGreaterThan(0)
}, 900_000)
