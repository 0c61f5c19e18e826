import type { V1ConfigMap } from '@kubernetes/client-node'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readBundle } from '#rates/release/bundle.ts'
import { keptName } from '#rates/release/kept-release.ts'
import { parseReleaseKeys } from '#rates/release/keys.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { releaseKeeper } from '../../operator/publish/keep-release.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { applySurroundings } from '../operator/manifests.ts'
import { PublishedPlace } from '../operator/publish/published-place.ts'
import { driveaway } from './driveaway.ts'

const keys = temporaryDirectory('archive-keys')
const key = (name: string) => join(keys.path, name)
const before = process.env['KUBECONFIG']
const PUBLISHED = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'] as const
let plane: ControlPlane
let place: PublishedPlace
let context: string
let folder: ReturnType<typeof temporaryDirectory>
const releases: string[] = []

beforeAll(async () => {
  plane = await startControlPlane()
  process.env['KUBECONFIG'] = plane.kubeconfig
  context = `context:${plane.kubeConfig.getCurrentContext()}`
  await applySurroundings(plane.kubeConfig)
  const cluster = { kube: kubeOf(plane.kubeConfig), namespace: 'driveaway' }
  place = new PublishedPlace(cluster.kube, () => plane.stop())
  place.around = { keep: releaseKeeper(cluster, { days: 400, megabytes: 128, now: () => place.now() }) }
  place.restart()
  for (const [at, fee] of ['10.00', '20.00'].entries()) await publish(PUBLISHED[at]!, fee)
  for (const [kid, environment] of [
    ['r1', 'production'],
    ['r2', 'production'],
    ['s1', 'staging'],
  ] as const) {
    const made = await driveaway(['release-key', '--environment', environment, '--kid', kid, '--out', key(kid)])
    writeFileSync(key(`${kid}.public`), `[${made.stdout}]`)
  }
}, 120_000)
beforeEach(() => void (folder = temporaryDirectory('archive')))
afterAll(async () => {
  process.env['KUBECONFIG'] = before
  keys.remove()
  await plane.stop()
})

async function publish(time: string, fee: string): Promise<void> {
  place.now = () => new Date(time)
  releases.push((await place.publish(inventedSet('AU'), inventedSet('AU_NSW', { fee }))).index.release)
}

const fileOf = (at: number) => join(folder.path, `${keptName(releases[at]!)}.bundle`)
const archive = (kid = 'r1', ...more: string[]) =>
  driveaway(['bundle', context, '--archive', folder.path, '--key', key(kid), ...more])

async function claimsOf(at: number, kid = 'r1') {
  const trusted = parseReleaseKeys(readFileSync(key(`${kid}.public`), 'utf8'))
  return (await readBundle(new Uint8Array(readFileSync(fileOf(at))), trusted)).claims
}

test('every release that a cluster keeps becomes a bundle with its times in force, and nothing else is left', async () => {
  expect(await archive()).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(folder.path).toSorted()).toEqual(releases.map((each) => `${keptName(each)}.bundle`).toSorted())
  const claims = await Promise.all([claimsOf(0), claimsOf(1)])
  expect(claims.map(({ release, inForce }) => [release, inForce])).toEqual([
    [releases[0], [{ since: PUBLISHED[0], until: PUBLISHED[1] }]],
    [releases[1], [{ since: PUBLISHED[1] }]],
  ])
  const said = await driveaway(['bundle', '--verify', fileOf(0), '--keys', key('r1.public')])
  expect(said.stdout).toContain(`in force since ${PUBLISHED[0]} until ${PUBLISHED[1]}`)
})

test('a release whose time is over is written once, and the present one each time: what came later is not known yet', async () => {
  await archive()
  const [ended, present] = [statSync(fileOf(0)).ino, statSync(fileOf(1)).ino]
  const { stdout } = await archive()
  expect(stdout).toContain('1 release written, 1 unchanged, 0 at fault')
  expect([statSync(fileOf(0)).ino === ended, statSync(fileOf(1)).ino === present]).toEqual([true, false])
})

test('a file that no trusted key signed is left as it is and told, and the other releases are archived', async () => {
  writeFileSync(fileOf(0), 'not a bundle')
  const damaged = await archive()
  expect([damaged.status, damaged.stderr]).toEqual([
    1,
    expect.stringContaining(`${fileOf(0)} is there and is not replaced`),
  ])
  expect(readFileSync(fileOf(0), 'utf8')).toBe('not a bundle')
  expect((await claimsOf(1)).release).toBe(releases[1])
  // Signed by another environment, and by a key that this call does not know.
  const foreign = await archive('s1', '--keys', key('r1.public'))
  expect([foreign.status, foreign.stderr]).toEqual([1, expect.stringContaining('it is of environment production')])
  expect((await archive('r2')).stderr).toContain('is signed by key r1, which is not trusted')
})

test('a retired key is trusted where it is listed, and a key that signs no more writes nothing', async () => {
  await archive()
  const retired = JSON.parse(readFileSync(key('r1.public'), 'utf8')) as object[]
  writeFileSync(key('retired'), JSON.stringify([{ ...retired[0], signsUntil: '2126-01-01' }]))
  expect(await archive('r2', '--keys', key('retired'))).toMatchObject({ status: 0, stderr: '' })
  expect((await claimsOf(1, 'r2')).release).toBe(releases[1])
  writeFileSync(key('ended'), JSON.stringify([{ ...retired[0], signsUntil: '2026-01-01' }]))
  folder = temporaryDirectory('archive')
  const ended = await archive('r1', '--keys', key('ended'))
  expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('signs until 2026-01-01 only')])
  expect(readdirSync(folder.path)).toEqual([])
})

test('a cluster that lost its copy of the release in force is told, and what it keeps is archived all the same', async () => {
  const name = keptName(releases[1]!)
  const metadata = { name, namespace: 'driveaway' }
  const [reference, cluster] = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }, place.kube]
  const stored = (await cluster.get<V1ConfigMap>(reference))!
  await cluster.delete(reference)
  const lost = await archive()
  expect(lost).toMatchObject({ status: 1, stderr: expect.stringContaining('keeps no release that is in force') })
  expect(readdirSync(folder.path)).toEqual([`${keptName(releases[0]!)}.bundle`])
  const { labels, annotations } = stored.metadata!
  const again = { ...stored, ...reference, metadata: { ...metadata, labels, annotations } }
  await cluster.create(again, { fieldManager: 'test' })
  expect((await archive()).status).toBe(0)
})

test('without a folder nothing is written, and a call that names a release is a wrong one', async () => {
  const call = ['bundle', context, '--archive', join(folder.path, 'missing'), '--key', key('r1')]
  expect(await driveaway(call)).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no folder') })
  const named = ['bundle', `${context}@${releases[0]}`, '--archive', folder.path, '--key', key('r1')]
  expect((await driveaway(named)).status).toBe(2)
})
