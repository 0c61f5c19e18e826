import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readAttestation } from '#rates/published/attestation.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { ensureBinary } from '../../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startApiProcess } from '../api-process.ts'
import { FEDERAL_FEE, inventedSet } from '../invented-set.ts'
import { startWorld, type World } from '../world.ts'
import { digestWith, requiring, untilRefused } from './environment.ts'
import { newKey, writeKey } from './keys.ts'

const root = join(import.meta.dirname, '../../..')
const key = await newKey('staging-1', 'staging')
const folder = temporaryDirectory('two-clusters')
const repository = (path: string) => join(folder.path, path)

let staging: World
let production: World
let api: Awaited<ReturnType<typeof startApiProcess>>
beforeAll(async () => {
  staging = await startWorld()
  production = await startWorld()
  api = await startApiProcess()
  await staging.startOperator({
    ...{ API_HEALTH_URLS: api.url, ENVIRONMENT: 'staging', ATTESTATION_SOAK_SECONDS: '1' },
    SIGNING_ATTESTATION_KEY_FILE: writeKey(repository('key.json'), key),
  })
  await production.startOperator(requiring([key]))
  cpSync(join(root, 'rates/overlays'), repository('rates/overlays'), { recursive: true })
}, 180_000)
afterAll(async () => {
  await staging.stop()
  await production.stop()
  await api.close()
  folder.remove()
})

/** What a pull request leaves in the repository when it is merged. */
function merge(...specs: RateSetSpec[]): void {
  mkdirSync(repository('rates/sets'), { recursive: true })
  const names = specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    writeFileSync(repository(`rates/sets/${name}.yaml`), stringify(object, { defaultStringType: 'QUOTE_DOUBLE' }))
    return `${name}.yaml`
  })
  const base = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: names }
  writeFileSync(repository('rates/sets/Kustomization'), stringify(base))
}

/** Applies an overlay as GitOps tools do: built by kustomize, applied server-side. */
async function sync(world: World, overlay: string): Promise<void> {
  const target = ['--kubeconfig', world.controlPlane.kubeconfig, '--cache-dir', repository('kubectl-cache')]
  const args = ['apply', '--server-side', '--force-conflicts', '-k', repository(`rates/overlays/${overlay}`)]
  execFileSync(await ensureBinary('kubectl'), [...target, ...args])
}

async function attestedDigest(name: string): Promise<string | undefined> {
  const token = (await staging.read('RateSet', name))?.status?.attestation
  return token === undefined ? undefined : readAttestation(token).claims.digest
}

/** Lets the API process of staging serve what is published there, until staging has given its word on all of it. */
async function soak(count: number): Promise<void> {
  await waitFor(
    'staging to attest everything',
    async () => {
      const { sets } = (await staging.published()).index
      api.loaded.sets = Object.fromEntries(sets.map(({ name, digest }) => [name, digest]))
      const attested = await Promise.all(sets.map(({ name }) => attestedDigest(name)))
      // Not merely of what was there before: a status may be behind what is published.
      return sets.length === count && sets.every(({ digest }, at) => attested[at] === digest)
    },
    { timeoutMs: 40_000 },
  )
}

function promote() {
  const args = ['promote', '--from', 'local', '--to', 'rates/overlays/production-apac', '--output', 'json']
  const env = { ...process.env, KUBECONFIG: staging.controlPlane.kubeconfig }
  const command = [join(root, 'cli/driveaway.js'), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder.path, env, encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(stderr)
  const { sets } = JSON.parse(stdout) as { sets: { name: string; result: string; reason?: string }[] }
  return Object.fromEntries(sets.map(({ name, result, reason }) => [name, reason ?? result]))
}

const untilFee = (world: World, name: string, fee: string) =>
  waitFor(`${name} at ${fee}`, async () => (await world.fee(name)) === fee, { timeoutMs: 20_000 })

const au = (fee: string) => inventedSet('AU', { fee })
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
/** Charges the federal fee: its example fits one federal set only. */
const qld = (fee: string) => inventedSet('AU_QLD', { fee: FEDERAL_FEE, example: fee })

/** One pull request goes through both: production refuses it before the promotion and takes it after. */
async function firstPromotion(): Promise<void> {
  merge(au('1.00'), vic('10.00'), qld('1.00'))
  await sync(staging, 'staging')
  await sync(production, 'production-apac')
  const digest = digestWith(au('1.00'))
  await untilRefused(production, 'au-fy27', `there is no annotation rates.driveaway.dev/attestation for ${digest}`)
  await expect(production.published()).rejects.toThrow('driveaway-rates is not there')
  await soak(3)
  expect(promote()).toEqual({ 'au-fy27': 'written', 'au-qld-fy27': 'written', 'au-vic-fy27': 'written' })
  await sync(production, 'production-apac')
  for (const name of ['au-fy27', 'au-qld-fy27', 'au-vic-fy27'])
    await production.until('RateSet', name, ['Ready', 'True'])
  expect((await production.published()).index.release).toBe((await staging.published()).index.release)
}

/** A changed figure stays out of production until it has soaked in staging and was promoted. */
async function changedFigure(): Promise<void> {
  merge(au('1.00'), vic('11.00'), qld('1.00'))
  await sync(production, 'production-apac')
  const [before, after] = [vic('10.00'), vic('11.00')].map((spec) => digestWith(spec, au('1.00')))
  const withFederal = `(with au-fy27 at ${digestWith(au('1.00')).slice(7, 19)})`
  await untilRefused(production, 'au-vic-fy27', `the attestation is of ${before}, not of ${after} ${withFederal}`)
  expect(promote()['au-vic-fy27']).toBe(`the cluster publishes ${before}; the digest of the files is ${after}`)
  await sync(staging, 'staging')
  await untilFee(staging, 'au-vic-fy27', '11.00')
  expect(await production.fee('au-vic-fy27')).toBe('10.00')
  await soak(3)
  expect(promote()).toEqual({ 'au-fy27': 'unchanged', 'au-qld-fy27': 'unchanged', 'au-vic-fy27': 'written' })
  await sync(production, 'production-apac')
  await untilFee(production, 'au-vic-fy27', '11.00')
}

/** A federal change and the state that follows it are promoted with every importer, and go live in one flip. */
async function federalChange(): Promise<void> {
  merge(au('2.00'), vic('11.00'), qld('2.00'))
  const { sequence } = (await production.published()).index
  await sync(production, 'production-apac')
  await production.until('RateSet', 'au-fy27', ['Ready', 'False', 'AwaitingAttestation'])
  await sync(staging, 'staging')
  await untilFee(staging, 'au-fy27', '2.00')
  await soak(3)
  expect(promote()).toEqual({ 'au-fy27': 'written', 'au-qld-fy27': 'written', 'au-vic-fy27': 'written' })
  expect(await production.fee('au-fy27')).toBe('1.00')
  await sync(production, 'production-apac')
  await untilFee(production, 'au-fy27', '2.00')
  const { index } = await production.published()
  expect(index.sequence).toBe(sequence + 1)
  expect(index.release).toBe((await staging.published()).index.release)
}

/** A figure edited by hand after the promotion is refused, and the old price stays. */
async function editByHand(): Promise<void> {
  await production.applySet(vic('1.00'))
  const refused = await production.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'AwaitingAttestation'])
  expect(refused.message).toContain(`not of ${digestWith(vic('1.00'), au('2.00'))}`)
  await production.until('RateSet', 'au-vic-fy27', ['Published', 'True', 'LastGood'])
  expect(await production.fee('au-vic-fy27')).toBe('11.00')
}

/** A reverted pull request rolls production back without waiting for staging. */
async function revert(): Promise<void> {
  merge(au('1.00'), vic('10.00'), qld('1.00'))
  await sync(production, 'production-apac')
  await untilFee(production, 'au-vic-fy27', '10.00')
  expect(await production.fee('au-fy27')).toBe('1.00')
  for (const name of ['au-fy27', 'au-qld-fy27', 'au-vic-fy27'])
    await production.until('RateSet', name, ['Ready', 'True'])
}

// One story: each step begins with what the one before left in the two clusters and in the repository.
test('figures go by pull request through staging to production, are held before that, and are rolled back', async () => {
  await firstPromotion()
  await changedFigure()
  await federalChange()
  await editByHand()
  await revert()
}, 480_000)
