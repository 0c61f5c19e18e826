import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '#explorer/page-files.ts'
import { serveExplorer } from '#explorer/serve.ts'
import { servedOf } from '#explorer/served.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'
import { bundleOf, committedContent, newReleaseKey } from '../rates/release/signed-bundle.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveawayProcess } from './driveaway.ts'
import { explored } from './explored.ts'

const folder = temporaryDirectory('explore')
const bundle = join(folder.path, 'rates.bundle')
const keys = join(folder.path, 'keys.json')
const otherKeys = join(folder.path, 'other-keys.json')
beforeAll(async () => {
  const { signs, published } = await newReleaseKey()
  writeFileSync(bundle, await bundleOf(signs))
  writeFileSync(keys, JSON.stringify([published]))
  writeFileSync(otherKeys, JSON.stringify([(await newReleaseKey('r9')).published]))
})
afterAll(() => folder.remove())

test('a bundle that a trusted key signed is shown, as one side or as both', async () => {
  const served = await explored([bundle, '--keys', keys, '--against', bundle])
  const { release } = committedContent()
  expect([served.label, served.release, served.old?.release]).toEqual([bundle, release, release])
  expect(served.old?.differences).toEqual([])
})

test('a bundle that no trusted key signed is refused with the reason, and one without keys says what is missing', async () => {
  const untrusted = await driveawayProcess(['explore', bundle, '--keys', otherKeys, '--port', '0'])
  expect([untrusted.status, untrusted.stderr]).toEqual([
    1,
    expect.stringContaining('signed by key r1, which is not trusted'),
  ])
  const without = await driveawayProcess(['explore', bundle, '--port', '0'])
  expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('--keys FILE with the trusted keys')])
  const old = await driveawayProcess(['explore', '--against', bundle, '--keys', otherKeys, '--port', '0'])
  expect([old.status, old.stderr]).toEqual([1, expect.stringContaining('which is not trusted')])
})

test('a port in use and a folder without rate sets are refused with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const second = driveawayProcess(['explore', bundle, '--keys', keys, '--port', String(port)])
  expect([second.status, second.stderr]).toEqual([
    2,
    expect.stringContaining(`Port ${port} is in use, perhaps by another explorer: give another one with --port N`),
  ])
  other.close()
  const empty = temporaryDirectory('explore-empty')
  const without = driveawayProcess(['explore', empty.path, '--port', '0'])
  expect([without.status, without.stderr]).toEqual([2, expect.stringContaining(`${empty.path} has no rate set`)])
  empty.remove()
})

test('HEAD is answered as GET is, without the content', async () => {
  const explorer = await serveExplorer(await pageFiles(), servedOf('rates/sets', snapshotOf(sets)))
  try {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(explorer.url, { method })))
    expect([head!.status, head!.headers.get('content-length'), await head!.text()]).toEqual([
      ...[200, get!.headers.get('content-length'), ''],
    ])
    expect((await fetch(explorer.url, { method: 'POST' })).status).toBe(405)
  } finally {
    await explorer.stop()
  }
})

test('a revision of Git is shown as it was committed, beside another one or beside the edits of today', async () => {
  const repository = temporaryDirectory('explore-revision')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: repository.path })
  const releaseWith = (fee: string): string => {
    const sets = [inventedSet('AU'), inventedSet('AU_NSW', { fee })]
    for (const spec of sets) {
      const name = rateSetName(spec.pricingCode, spec.financialYear)
      const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
      writeFileSync(join(repository.path, `${name}.yaml`), stringify(object))
    }
    return compileRateSets(readRateSets([repository.path])).release
  }
  git('init', '-q')
  const committed = ['10.00', '20.00'].map((fee) => {
    const release = releaseWith(fee)
    git('add', '.')
    git('commit', '-qm', fee)
    return release
  })
  const edited = releaseWith('30.00')
  const sides = async (...args: string[]) => {
    const { label, release, old } = await explored(args, repository.path)
    return [label, release, old?.release, old?.differences.map(({ was, is }) => [was, is])]
  }
  expect(await sides('git:HEAD:.', '--against', 'git:HEAD~1:.')).toEqual([
    ...['git:HEAD:.', committed[1], committed[0]],
    [['$10.00', '$20.00']],
  ])
  expect(await sides('.', '--against', 'git:HEAD:.')).toEqual(['.', edited, committed[1], [['$20.00', '$30.00']]])
  expect(driveawayProcess(['explore', 'git:nowhere', '--port', '0'])).toMatchObject({ status: 2 })
  repository.remove()
})
