import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { readRateSets } from '#rates/files/read.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { attestationOf, digestWith } from '../operator/attestation/environment.ts'
import { newKey } from '../operator/attestation/keys.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { startWorld, type World } from '../operator/world.ts'

const key = await newKey('staging-1', 'staging')
const folder = temporaryDirectory('promote')
const overlay = join(folder.path, 'rates/overlays/production-apac')
const root = join(import.meta.dirname, '../..')

let world: World
beforeAll(async () => {
  world = await startWorld()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder.path })
  git('init', '-q')
  cpSync(join(root, 'rates/overlays/production-apac'), overlay, { recursive: true })
  write(au('1.00'), vic('10.00'), nsw('20.00'))
}, 90_000)
afterAll(async () => {
  await world.stop()
  folder.remove()
})

const au = (fee: string) => inventedSet('AU', { fee })
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
const nsw = (fee: string) => inventedSet('AU_NSW', { fee })

/** Writes these sets as the rate sets of the folder, with the list of them that the overlay builds on. */
function write(...specs: RateSetSpec[]): void {
  const sets = join(folder.path, 'rates/sets')
  mkdirSync(sets, { recursive: true })
  const files = specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    writeFileSync(join(sets, `${name}.yaml`), stringify(object, { defaultStringType: 'QUOTE_DOUBLE' }))
    return `${name}.yaml`
  })
  const base = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: files }
  writeFileSync(join(sets, 'Kustomization'), stringify(base))
}

/** Puts a set into the cluster with the status that a staging operator gives it. */
async function stage(spec: RateSetSpec, status: object): Promise<void> {
  await world.applySet(spec)
  const name = rateSetName(spec.pricingCode, spec.financialYear)
  const path = `/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/ratesets/${name}/status`
  const contentType = 'application/merge-patch+json'
  const { kubeConfig } = world.controlPlane
  const cleared = { digest: null, attestation: null, servedSince: null, conditions: null }
  await requestKube(kubeConfig, { method: 'PATCH', path, contentType, body: { status: { ...cleared, ...status } } })
}

async function stageAttested(spec: RateSetSpec, federal?: RateSetSpec): Promise<string> {
  const attestation = await attestationOf(spec, { by: key, ...(federal && { federal }) })
  await stage(spec, { digest: digestWith(spec, federal), attestation })
  return attestation
}

/** Runs the command as a shell does, in the folder. */
function driveaway(...args: string[]) {
  const env = { ...process.env, KUBECONFIG: world.controlPlane.kubeconfig, NO_COLOR: '1' }
  const command = [join(root, 'cli/driveaway.js'), ...args]
  return spawnSync(process.execPath, command, { cwd: folder.path, env, encoding: 'utf8' })
}

const promote = (...args: string[]) =>
  driveaway('promote', '--from', 'local', '--to', 'rates/overlays/production-apac', ...args)

const reasonsOf = (stdout: string) => {
  const { sets } = JSON.parse(stdout) as { sets: { name: string; result: string; reason?: string }[] }
  return Object.fromEntries(sets.map(({ name, result, reason }) => [name, reason ?? result]))
}

const filesOf = () =>
  Object.fromEntries(
    readdirSync(join(overlay, 'attestations')).map((file) => [
      file,
      readFileSync(join(overlay, 'attestations', file), 'utf8'),
    ]),
  )

test('what a cluster does not attest is refused, each with its own reason, and the overlay stays as it is', async () => {
  const before = filesOf()
  await stage(au('1.00'), { digest: digestWith(au('1.00')), servedSince: '2026-11-21T10:00:00Z' })
  await stage(vic('9.00'), { digest: digestWith(vic('9.00'), au('1.00')) })
  const { status, stdout } = promote('--output', 'json')
  expect(reasonsOf(stdout)).toEqual({
    'au-fy27': 'published there and served by all since 2026-11-21T10:00:00Z, but not attested yet',
    'au-vic-fy27': `the cluster publishes ${digestWith(vic('9.00'), au('1.00'))}, the files make ${digestWith(vic('10.00'), au('1.00'))}`,
    'au-nsw-fy27': 'the cluster has no rate set of this name',
  })
  expect(status).toBe(1)
  expect(filesOf()).toEqual(before)
})

test('a word that has expired, or that is of another digest, is refused, and so is what imports a refused set', async () => {
  const iat = 1_700_000_000
  const expired = await attestationOf(au('1.00'), { by: key, iat, exp: iat + 60 })
  await stage(au('1.00'), { digest: digestWith(au('1.00')), attestation: expired })
  await stageAttested(vic('10.00'), au('1.00'))
  const other = await attestationOf(nsw('19.00'), { by: key, federal: au('1.00') })
  await stage(nsw('20.00'), { digest: digestWith(nsw('20.00'), au('1.00')), attestation: other })
  expect(reasonsOf(promote('--output', 'json').stdout)).toEqual({
    'au-fy27': 'the attestation expired at 2023-11-14T22:14:20.000Z',
    'au-vic-fy27': 'it imports au-fy27, which is refused',
    'au-nsw-fy27': `the attestation is of digest ${digestWith(nsw('19.00'), au('1.00'))}, not ${digestWith(nsw('20.00'), au('1.00'))}`,
  })
})

test('what is attested becomes the annotation that kustomize puts on the same figures', async () => {
  const words = {
    'au-fy27': await stageAttested(au('1.00')),
    'au-nsw-fy27': await stageAttested(nsw('20.00'), au('1.00')),
    'au-vic-fy27': await stageAttested(vic('10.00'), au('1.00')),
  }
  const { status, stdout } = promote()
  expect(stdout).toMatch(/^au-fy27 +[0-9a-f]{12} {2}written +staging, by key staging-1, until \d{4}-\d\d-\d\d$/m)
  expect(stdout).toMatch(/3 rate sets: 3 written, 0 unchanged, 0 refused\n$/)
  expect(status).toBe(0)
  const built = await build(overlay)
  expect(Object.fromEntries(built.map(({ metadata }) => [metadata.name, metadata.annotations]))).toEqual(
    Object.fromEntries(
      Object.entries(words).map(([name, word]) => [name, { 'rates.driveaway.dev/attestation': word }]),
    ),
  )
  expect(built.find(({ metadata }) => metadata.name === 'au-vic-fy27')?.spec).toEqual(vic('10.00'))
})

test('once more changes nothing, also when the cluster has given its word anew', async () => {
  const before = filesOf()
  await stageAttested(vic('10.00'), au('1.00'))
  const { status, stdout } = promote('--output', 'json')
  expect(new Set(Object.values(reasonsOf(stdout)))).toEqual(new Set(['unchanged']))
  expect(status).toBe(0)
  expect(filesOf()).toEqual(before)
})

test('a change of days already past needs --allow-past, one of days to come does not', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder.path })
  git('add', '.')
  git('commit', '-qm', 'the first promotion')
  write(au('1.00'), vic('11.00'), nsw('20.00'))
  await stageAttested(vic('11.00'), au('1.00'))
  expect(reasonsOf(promote('--today', '2026-07-01', '--output', 'json').stdout)['au-vic-fy27']).toBe('written')
  git('checkout', '-q', 'rates/overlays')
  const refused = promote('--today', '2026-11-21', '--output', 'json')
  expect(reasonsOf(refused.stdout)['au-vic-fy27']).toMatch(
    /^it corrects days already past \(PLATES .*10\.00 becomes .*11\.00.* from 2026-07-01.*\); --allow-past takes it$/,
  )
  expect(refused.status).toBe(1)
  const allowed = promote('--today', '2026-11-21', '--allow-past', '--output', 'json')
  expect(reasonsOf(allowed.stdout)).toEqual({
    ...{ 'au-fy27': 'unchanged', 'au-nsw-fy27': 'unchanged', 'au-vic-fy27': 'written' },
  })
}, 180_000)

test('the word on a set that is taken out of the files goes, so that the overlay can be built', async () => {
  execFileSync('rm', [join(folder.path, 'rates/sets/au-nsw-fy27.yaml')])
  write(au('1.00'), vic('11.00'))
  expect(promote().status).toBe(0)
  expect((await build(overlay)).map(({ metadata }) => metadata.name)).toEqual(['au-fy27', 'au-vic-fy27'])
})

test('a wrong call says what is wrong', () => {
  expect(driveaway('promote', '--from', 'nowhere', '--to', overlay)).toMatchObject({
    ...{ status: 2, stderr: expect.stringContaining('there is no context nowhere') as string },
  })
  expect(driveaway('promote').stderr).toContain('--from and --to are expected')
  expect(promote('--to', folder.path).stderr).toContain('is no overlay')
}, 120_000)

interface Built {
  metadata: { name: string; annotations?: Record<string, string> }
  spec: RateSetSpec
}

async function buildText(directory: string): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' as const }
  return execFileSync(await ensureBinary('kubectl'), ['kustomize', directory], options)
}

const build = async (directory: string): Promise<Built[]> =>
  parseAllDocuments(await buildText(directory)).map((document) => document.toJS() as Built)

test.each(readdirSync(join(root, 'rates/overlays')))(
  'the overlay %s has every rate set of the repository',
  async (name) => {
    const built = await buildText(join(root, 'rates/overlays', name))
    const names = [...built.matchAll(/^ {2}name: (\S+)$/gm)].map(([, found]) => found)
    const files = readdirSync(join(root, 'rates/sets'), { recursive: true, encoding: 'utf8' })
    const expected = files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -5).replace('/', '-'))
    expect(names.sort()).toEqual(expected.sort())
  },
)

test('kustomize leaves every figure of the repository to the letter', async () => {
  const built = await build(join(root, 'rates/overlays/production-apac'))
  for (const file of readRateSets([join(root, 'rates/sets')]))
    expect(built.find(({ metadata }) => metadata.name === file.name)?.spec).toEqual(file.spec)
}, 120_000)
