import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readRateSets } from '#rates/files/read.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { parseReleaseKeys } from '#rates/release/keys.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { followArchive } from '../../../api/releases/archive.ts'
import { followKeptReleases } from '../../../api/releases/kept-releases.ts'
import { releaseKeeper } from '../../../operator/publish/keep-release.ts'
import { driveaway } from '../../cli/driveaway.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../../operator/invented-set.ts'
import { applySurroundings } from '../../operator/manifests.ts'
import { PublishedPlace } from '../../operator/publish/published-place.ts'
import { bearer, startPricingServer, suv } from '../pricing-server.ts'

// One story: a figure is published, quoted and corrected; then the cluster is lost with all its data, and another one is
// made from Git and from the archive.
const namespace = 'driveaway'
const log = createLog({ name: 'test', level: 'silent' })
const folder = temporaryDirectory('lost-cluster')
const [git, archiveFolder] = [join(folder.path, 'git'), join(folder.path, 'archive')]
const keyFile = join(folder.path, 'key.json')
const kubeconfigBefore = process.env['KUBECONFIG']
let publicKey: string
const closing: (() => Promise<unknown>)[] = []
const closeAll = async () => {
  for (const close of closing.splice(0).reverse()) await close()
}

beforeAll(async () => {
  for (const path of [git, archiveFolder]) mkdirSync(path)
  inGit('init', '-q')
  publicKey = (await driveaway(['release-key', '--environment', 'production', '--kid', 'r1', '--out', keyFile])).stdout
})
afterAll(async () => {
  process.env['KUBECONFIG'] = kubeconfigBefore
  await closeAll()
  folder.remove()
})

const inGit = (...args: string[]) =>
  execFileSync('git', ['-C', git, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args])

/** Writes and commits the rate sets with a fee. */
function commit(fee: string): void {
  for (const spec of [inventedSet('AU'), inventedSet('AU_NSW', { fee })]) {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    writeFileSync(join(git, `${name}.yaml`), stringify(object))
  }
  inGit('add', '.')
  inGit('commit', '-qm', `a fee of ${fee}`)
}

/** The rate sets of the last commit, from a clone. */
function committed(): RateSetSpec[] {
  const clone = temporaryDirectory('clone')
  execFileSync('git', ['clone', '-q', git, join(clone.path, 'sets')])
  const specs = readRateSets([join(clone.path, 'sets')]).map(({ spec }) => spec as RateSetSpec)
  clone.remove()
  return specs
}

interface Production {
  plane: ControlPlane
  /** Publishes what Git has, and resolves when quotes are priced with it. */
  publish(now?: Date): Promise<string>
  quote(asKnownAt?: string): Promise<string>
  /** Until what is kept is known with so many releases. */
  knows(count: number): Promise<unknown>
}

async function startProduction(): Promise<Production> {
  const plane = await startControlPlane()
  closing.push(() => plane.stop())
  await applySurroundings(plane.kubeConfig)
  const place = new PublishedPlace(kubeOf(plane.kubeConfig), async () => undefined)
  const operator = kubeOf(plane.kubeConfigFor('driveaway-operator'))
  place.around = {
    keep: releaseKeeper({ kube: operator, namespace }, { days: 400, megabytes: 128, now: () => place.now() }),
  }
  place.restart()
  const api = kubeOf(plane.kubeConfigFor('driveaway-api'))
  const keptReleases = followKeptReleases({ kube: api, namespace, log })
  const trusted = { published: parseReleaseKeys(`[${publicKey}]`), environment: 'production' }
  const archive = followArchive({ folder: archiveFolder, trusted: () => trusted, log, everyMs: 50 })
  const server = await startPricingServer(undefined, undefined, { log, keptReleases, archive, keepDays: 400 })
  const source = await startKubernetesSource({ kube: api, namespace, holder: server.holder, log, parts: ['rates'] })
  closing.push(
    () => server.close(),
    () => keptReleases.stop(),
    async () => archive.stop(),
    () => source.stop(),
  )
  const headers = bearer(await server.token())
  return {
    plane,
    publish: async (now = new Date()) => {
      place.now = () => now
      const { release } = (await place.publish(...committed())).index
      await waitFor('the release', () => server.holder.read().rates?.snapshot.release === release)
      return release
    },
    quote: async (asKnownAt) => {
      const options = asKnownAt === undefined ? {} : { options: { asKnownAt } }
      return (
        await server.post('/v1/quote', suv({ pricingCode: 'AU_NSW', showroomCode: 'SYD01', ...options }), headers)
      ).text()
    },
    knows: (count) => waitFor('what is kept', () => keptReleases.list()?.length === count && archive.list()),
  }
}

test(
  'a quote is the same, byte by byte, by what was known before and after a correction, also when the cluster was lost',
  { timeout: 300_000 },
  async () => {
    const [BEFORE, CORRECTED, AFTER] = ['2026-03-15T00:00:00Z', '2026-04-01T00:00:00Z', '2026-05-15T00:00:00Z'] as const
    const first = await startProduction()
    commit('10.00')
    const wrong = await first.publish(new Date('2026-03-01T00:00:00Z'))
    const quoted = await first.quote()
    commit('12.00')
    const right = await first.publish(new Date(CORRECTED))
    await first.knows(2)
    const corrected = await first.quote()
    const asked = [BEFORE, wrong, AFTER, right]
    const answers = await Promise.all(asked.map((text) => first.quote(text)))
    const totalOf = (text: string) => (JSON.parse(text) as { totals: { driveAway: number } }).totals.driveAway
    expect(answers.map(totalOf)).toEqual([quoted, quoted, corrected, corrected].map(totalOf))
    expect(totalOf(corrected) - totalOf(quoted)).toBe(200)

    process.env['KUBECONFIG'] = first.plane.kubeconfig
    const context = `context:${first.plane.kubeConfig.getCurrentContext()}`
    const archived = await driveaway(['bundle', context, '--archive', archiveFolder, '--key', keyFile])
    expect(archived).toMatchObject({ status: 0, stderr: '' })
    await closeAll()

    const second = await startProduction()
    expect(await second.publish()).toBe(right)
    await second.knows(1)
    expect(await second.quote()).toBe(corrected)
    expect(await Promise.all(asked.map((text) => second.quote(text)))).toEqual(answers)
  },
)
