import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { API_VERSION } from '#crds/kind.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { readRateSets } from '#rates/files/read.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { installKinds } from '../crds/install-kinds.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { attestationOf, digestWith } from '../operator/attestation/environment.ts'
import { newKey } from '../operator/attestation/keys.ts'
import { inventedSet } from '../operator/invented-set.ts'

const key = await newKey('staging-1', 'staging')
const root = join(import.meta.dirname, '../..')
const folder = temporaryDirectory('promote')

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await installKinds(plane.kubeConfig)
}, 90_000)
afterAll(async () => {
  await plane.stop()
  folder.remove()
})

const au = (fee: string) => inventedSet('AU', { fee })
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
const nsw = (fee: string) => inventedSet('AU_NSW', { fee })

let places = 0
/** A repository with three rate sets and the overlay of production, and a namespace of staging without any rate set. */
async function newPlace(): Promise<Place> {
  const name = `staging-${(places += 1)}`
  await applyObject(plane.kubeConfig, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, AS)
  const place = new Place(name, join(folder.path, name))
  cpSync(join(root, 'rates/overlays/production-apac'), place.overlay, { recursive: true })
  place.git('init', '-q')
  place.write(au('1.00'), vic('10.00'), nsw('20.00'))
  return place
}

/** The same, with all three attested by staging and promoted. */
async function promotedPlace(): Promise<Place> {
  const place = await newPlace()
  await place.stageAttested(au('1.00'))
  for (const state of [vic('10.00'), nsw('20.00')]) await place.stageAttested(state, au('1.00'))
  expect(place.promote().status).toBe(0)
  return place
}

const AS = { fieldManager: 'test', force: true }

class Place {
  readonly overlay: string
  readonly #namespace: string
  readonly #folder: string
  readonly #kubeconfig: string

  constructor(namespace: string, folder: string) {
    this.#namespace = namespace
    this.#folder = folder
    this.overlay = join(folder, 'rates/overlays/production-apac')
    this.#kubeconfig = join(folder, '.git/kubeconfig')
  }

  git(...args: string[]) {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: this.#folder })
  }

  /** Writes these sets as the rate sets of the folder, with the list of them that the overlay builds on. */
  write(...specs: RateSetSpec[]): void {
    const sets = join(this.#folder, 'rates/sets')
    rmSync(sets, { recursive: true, force: true })
    mkdirSync(sets, { recursive: true })
    const files = specs.map((spec) => {
      const name = rateSetName(spec.pricingCode, spec.financialYear)
      const object = { apiVersion: API_VERSION, kind: 'RateSet', metadata: { name }, spec }
      writeFileSync(join(sets, `${name}.yaml`), stringify(object, { defaultStringType: 'QUOTE_DOUBLE' }))
      return `${name}.yaml`
    })
    const base = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: files }
    writeFileSync(join(sets, 'Kustomization'), stringify(base))
  }

  /** Puts a set into the cluster with the status that a staging operator gives it. */
  async stage(spec: RateSetSpec, status: object): Promise<void> {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const metadata = { name, namespace: this.#namespace }
    await applyObject(plane.kubeConfig, { apiVersion: API_VERSION, kind: 'RateSet', metadata, spec } as never, AS)
    const path = `/apis/${API_VERSION}/namespaces/${this.#namespace}/ratesets/${name}/status`
    const contentType = 'application/merge-patch+json'
    const cleared = { digest: null, attestation: null, servedSince: null, conditions: null }
    const body = { status: { ...cleared, ...status } }
    await requestKube(plane.kubeConfig, { method: 'PATCH', path, contentType, body })
  }

  async stageAttested(spec: RateSetSpec, federal?: RateSetSpec): Promise<string> {
    const attestation = await attestationOf(spec, { by: key, ...(federal && { federal }) })
    await this.stage(spec, { digest: digestWith(spec, federal), attestation })
    return attestation
  }

  /** Runs the command as a shell does, in the folder, with staging's namespace as the one of the context. */
  driveaway(...args: string[]) {
    const config = parse(readFileSync(plane.kubeconfig, 'utf8')) as { contexts: { context: object }[] }
    for (const each of config.contexts) each.context = { ...each.context, namespace: this.#namespace }
    writeFileSync(this.#kubeconfig, stringify(config))
    const env = { ...process.env, KUBECONFIG: this.#kubeconfig, NO_COLOR: '1' }
    const command = [join(root, 'cli/driveaway.js'), ...args]
    return spawnSync(process.execPath, command, { cwd: this.#folder, env, encoding: 'utf8' })
  }

  promote(...args: string[]) {
    return this.driveaway('promote', '--from', 'local', '--to', 'rates/overlays/production-apac', ...args)
  }

  /** The attestations of the overlay, by name of their file. */
  attestations() {
    const directory = join(this.overlay, 'attestations')
    return Object.fromEntries(readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), 'utf8')]))
  }
}

const reasonsOf = (stdout: string) => {
  const { sets } = JSON.parse(stdout) as { sets: { name: string; result: string; reason?: string }[] }
  return Object.fromEntries(sets.map(({ name, result, reason }) => [name, reason ?? result]))
}

test('what a cluster does not attest is refused, each with its own reason, and the overlay stays as it is', async () => {
  const place = await newPlace()
  const before = place.attestations()
  await place.stage(au('1.00'), { digest: digestWith(au('1.00')), servedSince: '2026-11-21T10:00:00Z' })
  await place.stage(vic('9.00'), { digest: digestWith(vic('9.00'), au('1.00')) })
  const { status, stdout } = place.promote('--output', 'json')
  expect(reasonsOf(stdout)).toEqual({
    'au-fy27': 'published there but not attested yet: every process has served it since 2026-11-21T10:00:00Z',
    'au-vic-fy27': `the cluster publishes ${digestWith(vic('9.00'), au('1.00'))}; the digest of the files is ${digestWith(vic('10.00'), au('1.00'))}`,
    'au-nsw-fy27': 'the cluster has no rate set with this name',
  })
  expect(status).toBe(1)
  expect(place.attestations()).toEqual(before)
})

test('a word that is of another digest is refused, and so is what imports a refused set', async () => {
  const place = await newPlace()
  const older = await attestationOf(au('2.00'), { by: key })
  await place.stage(au('1.00'), { digest: digestWith(au('1.00')), attestation: older })
  await place.stageAttested(vic('10.00'), au('1.00'))
  const other = await attestationOf(nsw('19.00'), { by: key, federal: au('1.00') })
  await place.stage(nsw('20.00'), { digest: digestWith(nsw('20.00'), au('1.00')), attestation: other })
  expect(reasonsOf(place.promote('--output', 'json').stdout)).toEqual({
    'au-fy27': `the attestation is of digest ${digestWith(au('2.00'))}, not ${digestWith(au('1.00'))}`,
    'au-vic-fy27': 'it imports au-fy27, which was refused',
    'au-nsw-fy27': `the attestation is of digest ${digestWith(nsw('19.00'), au('1.00'))}, not ${digestWith(nsw('20.00'), au('1.00'))}`,
  })
})

test('what is attested becomes the annotation that kustomize puts on the same figures', async () => {
  const place = await newPlace()
  const words = {
    'au-fy27': await place.stageAttested(au('1.00')),
    'au-nsw-fy27': await place.stageAttested(nsw('20.00'), au('1.00')),
    'au-vic-fy27': await place.stageAttested(vic('10.00'), au('1.00')),
  }
  const { status, stdout } = place.promote()
  expect(stdout).toMatch(/^au-fy27 +[0-9a-f]{12} {2}written +staging, by key staging-1, on \d{4}-\d\d-\d\d$/m)
  expect(stdout).toMatch(/3 rate sets: 3 written, 0 unchanged, 0 refused\n$/)
  expect(status).toBe(0)
  const built = await build(place.overlay)
  expect(Object.fromEntries(built.map(({ metadata }) => [metadata.name, metadata.annotations]))).toEqual(
    Object.fromEntries(
      Object.entries(words).map(([name, word]) => [name, { 'rates.driveaway.dev/attestation': word }]),
    ),
  )
  expect(built.find(({ metadata }) => metadata.name === 'au-vic-fy27')?.spec).toEqual(vic('10.00'))
})

test('once more changes nothing, also when the cluster has given its word anew', async () => {
  const place = await promotedPlace()
  const before = place.attestations()
  await place.stageAttested(vic('10.00'), au('1.00'))
  const { status, stdout } = place.promote('--output', 'json')
  expect(reasonsOf(stdout)).toEqual({ 'au-fy27': 'unchanged', 'au-nsw-fy27': 'unchanged', 'au-vic-fy27': 'unchanged' })
  expect(status).toBe(0)
  expect(place.attestations()).toEqual(before)
})

test('a change of days already past needs --allow-past, one of days to come does not', async () => {
  const place = await promotedPlace()
  place.git('add', '.')
  place.git('commit', '-qm', 'the first promotion')
  place.write(au('1.00'), vic('11.00'), nsw('20.00'))
  await place.stageAttested(vic('11.00'), au('1.00'))
  expect(reasonsOf(place.promote('--today', '2026-07-01', '--output', 'json').stdout)['au-vic-fy27']).toBe('written')
  place.git('checkout', '-q', 'rates/overlays')
  const refused = place.promote('--today', '2026-11-21', '--output', 'json')
  expect(reasonsOf(refused.stdout)['au-vic-fy27']).toMatch(
    /^it changes days already past \(PLATES .*10\.00 becomes .*11\.00.* from 2026-07-01.*\); --allow-past promotes it$/,
  )
  expect(refused.status).toBe(1)
  const allowed = place.promote('--today', '2026-11-21', '--allow-past', '--output', 'json')
  expect(reasonsOf(allowed.stdout)).toEqual({
    ...{ 'au-fy27': 'unchanged', 'au-nsw-fy27': 'unchanged', 'au-vic-fy27': 'written' },
  })
}, 180_000)

test('the word on a set that is taken out of the files goes, so that the overlay can be built', async () => {
  const place = await promotedPlace()
  place.write(au('1.00'), vic('10.00'))
  expect(place.promote().status).toBe(0)
  expect((await build(place.overlay)).map(({ metadata }) => metadata.name)).toEqual(['au-fy27', 'au-vic-fy27'])
})

test('a wrong call says what is wrong', async () => {
  const place = await newPlace()
  expect(place.driveaway('promote', '--from', 'nowhere', '--to', place.overlay)).toMatchObject({
    ...{ status: 2, stderr: expect.stringContaining('KUBECONFIG has no context nowhere') as string },
  })
  expect(place.driveaway('promote').stderr).toContain('expected --from and --to')
  expect(place.promote('--to', folder.path).stderr).toContain('is not an overlay')
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
