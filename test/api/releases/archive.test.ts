import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { snapshotOfBundle } from '#rates/release/bundle.ts'
import { keptName } from '#rates/release/kept-release.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { followArchive, type ReleaseArchive, type TrustedKeys } from '../../../api/releases/archive.ts'
import type { ToThread } from '../../../api/releases/archive-thread.ts'
import { createBundleVerifier } from '../../../api/releases/verify-bundles.ts'
import { NO_KEPT_RELEASES, type KeptReleases } from '../../../api/releases/kept-releases.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../../operator/invented-set.ts'
import { bundleOf, newReleaseKey } from '../../rates/release/signed-bundle.ts'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

const contentWith = (fee: string) => {
  const sets: RateSetSpec[] = [inventedSet('AU'), inventedSet('AU_NSW', { fee })]
  return contentOf(sets.map((spec) => ({ name: rateSetName(spec.pricingCode, spec.financialYear), spec })))
}
const [old, present] = [contentWith('10.00'), contentWith('30.00')] as const
const PERIOD = { since: '2020-03-01T00:00:00.000Z', until: '2020-04-01T00:00:00.000Z' }
const WITHIN = '2020-03-10T00:00:00Z'

let keys: Awaited<ReturnType<typeof newReleaseKey>>
let trusted: TrustedKeys
const folder = temporaryDirectory('archive')
const at = (name: string) => join(folder.path, name)
const errors: { file?: string; because?: string; err?: Error }[] = []
const log = { error: (said: object) => void errors.push(said), info: () => undefined }
const closing: (() => unknown)[] = []
beforeAll(async () => {
  keys = await newReleaseKey('r1', 'production')
  trusted = { published: [keys.published], environment: 'production' }
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(folder.path, { recursive: true, force: true })
  mkdirSync(folder.path)
  errors.length = 0
})
afterAll(() => folder.remove())

type Change = Parameters<typeof bundleOf>[1]

async function put(name: string, content = old, change: Change = {}, signs = keys.signs): Promise<void> {
  const bytes = await bundleOf(signs, { environment: 'production', inForce: [PERIOD], ...change }, content)
  writeFileSync(at('.new'), bytes)
  renameSync(at('.new'), at(name))
}

interface Asking {
  archive: ReleaseArchive
  server: PricingServer
  get: (path: string) => Promise<{ status: number; body: Answer }>
  quoteAt: (asKnownAt?: string) => Promise<{ status: number; body: Answer }>
}
interface Answer {
  code?: string
  message: string
  metadata: { release: string }
  releases: { release: string; kept: boolean; inForce: object[]; keptUntil?: string }[]
}

async function serving(keptReleases: KeptReleases = NO_KEPT_RELEASES): Promise<Asking> {
  const archive = followArchive({ folder: folder.path, trusted: () => trusted, log, everyMs: 20 })
  const server = await startPricingServer(snapshotOfBundle(present), undefined, {
    archive,
    keptReleases,
    keepDays: 400,
  })
  closing.push(() => Promise.all([archive.stop(), server.close()]))
  const headers = bearer(await server.token())
  const said = async (answer: Response) => ({ status: answer.status, body: (await answer.json()) as Answer })
  const request = (asKnownAt?: string) =>
    suv({ pricingCode: 'AU_NSW', showroomCode: 'SYD01', ...(asKnownAt !== undefined && { options: { asKnownAt } }) })
  return {
    ...{ archive, server },
    get: async (path) => said(await server.get(path, headers)),
    quoteAt: async (asKnownAt) => said(await server.post('/v1/quote', request(asKnownAt), headers)),
  }
}

const used = (archive: ReleaseArchive) => archive.list()?.map(({ release }) => release)

test('a release of the archive is listed and prices, by its name and by a time at which it was in force', async () => {
  await put('old.bundle')
  const { archive, get, quoteAt } = await serving()
  await waitFor('the archive', () => used(archive)?.length === 1)
  const answers = await Promise.all([old.release, WITHIN, PERIOD.since].map((text) => quoteAt(text)))
  expect(answers.map(({ status, body }) => [status, body.metadata.release])).toEqual([
    [200, old.release],
    [200, old.release],
    [200, old.release],
  ])
  expect((await quoteAt(PERIOD.until)).body.code).toBe('UNKNOWN_RELEASE')
  expect((await get('/v1/releases')).body.releases.at(-1)).toEqual({
    ...{ release: old.release, isCurrent: false, inForce: [PERIOD], kept: true },
  })
  expect((await get(`/v1/releases/${old.release}`)).body).toEqual(JSON.parse(JSON.stringify(old)))
})

test('a bundle made while its release was in force proves that until it was made, and one of files no time', async () => {
  const iat = Date.parse('2020-03-20T00:00:00Z') / 1000
  await put('present.bundle', old, { inForce: [{ since: PERIOD.since }], iat })
  const files = contentWith('20.00')
  writeFileSync(at('files.bundle'), await bundleOf(keys.signs, { environment: 'production' }, files))
  const { archive, quoteAt } = await serving()
  await waitFor('the archive', () => used(archive)?.length === 2)
  expect((await quoteAt('2020-03-19T23:59:59Z')).body.metadata.release).toBe(old.release)
  expect((await quoteAt('2020-03-20T00:00:00Z')).body.code).toBe('UNKNOWN_RELEASE')
  expect((await quoteAt(files.release)).body.metadata.release).toBe(files.release)
})

test('a damaged or foreign file is told by name and reason, and every other release is answered', async () => {
  const other = await newReleaseKey('r1', 'production')
  const [staging, unknown] = [await newReleaseKey('s1', 'staging'), await newReleaseKey('r9', 'production')]
  trusted = { published: [keys.published, staging.published], environment: 'production' }
  await put('a-good.bundle')
  await put('b-other-key.bundle', old, {}, other.signs)
  await put('c-unknown-key.bundle', old, {}, unknown.signs)
  await put('d-staging.bundle', old, { environment: 'staging' }, staging.signs)
  const bytes = readFileSync(at('a-good.bundle'))
  writeFileSync(at('e-cut.bundle'), bytes.subarray(0, bytes.length - 100))
  writeFileSync(at('f-text.bundle'), 'release: sha256:0')
  writeFileSync(at('g-empty.bundle'), '')
  writeFileSync(at('README.md'), 'no bundle, and no fault')
  writeFileSync(at('.half.bundle'), 'somebody writes it at this moment')
  const { archive, quoteAt } = await serving()
  await waitFor('the archive', () => used(archive))
  expect(errors.map(({ file, because }) => [file, because])).toEqual([
    ['b-other-key.bundle', expect.stringContaining('is not one of key r1')],
    ['c-unknown-key.bundle', expect.stringContaining('signed by key r9, which is not trusted')],
    ['d-staging.bundle', expect.stringContaining('is of environment staging')],
    ['e-cut.bundle', expect.stringContaining('it is not gzip')],
    ['f-text.bundle', expect.stringContaining('it is not gzip')],
    ['g-empty.bundle', expect.stringContaining('it is not')],
  ])
  expect(archive.list()).toEqual([{ release: old.release, inForce: [PERIOD], files: ['a-good.bundle'] }])
  expect((await quoteAt(WITHIN)).status).toBe(200)
})

test('what is no regular file is told and blocks nothing, and a link counts as what it leads to', async () => {
  await put('a-good.bundle')
  execFileSync('mkfifo', [at('b-pipe.bundle')])
  mkdirSync(at('c-folder.bundle'))
  symlinkSync('nowhere', at('d-link-to-nothing.bundle'))
  await put('elsewhere', contentWith('20.00'))
  symlinkSync('elsewhere', at('e-link.bundle'))
  const { archive } = await serving()
  await waitFor('the archive', () => used(archive)?.length === 2)
  expect(archive.list()!.map(({ files }) => files)).toEqual([['a-good.bundle'], ['e-link.bundle']])
  expect(errors.slice(0, 3).map(({ file, because }) => [file, because])).toEqual([
    ['b-pipe.bundle', 'it is not a regular file'],
    ['c-folder.bundle', 'it is not a regular file'],
    ['d-link-to-nothing.bundle', expect.stringContaining('ENOENT')],
  ])
})

test('a file that is exchanged after it was listed is refused when it is used, and another file of the release is used', async () => {
  await put('old.bundle')
  const { archive } = await serving()
  await waitFor('the archive', () => used(archive)?.length === 1)
  const listed = archive.list()![0]!
  await put('old.bundle', contentWith('20.00'))
  await expect(archive.read(listed)).rejects.toThrow('old.bundle: it is of another release')
  await put('second.bundle')
  expect((await archive.read({ ...listed, files: ['old.bundle', 'second.bundle'] })).length).toBe(2)
})

test('a volume that does not answer is told at each look and asked once, and what was read before stays', async () => {
  await put('old.bundle')
  let calls = 0
  let answer = () => {}
  const names = async (path: string) => {
    if (++calls === 2) await new Promise<void>((resolve) => (answer = resolve))
    return readdirSync(path)
  }
  const archive = followArchive({ folder: folder.path, trusted: () => trusted, log, everyMs: 50, answerMs: 50, names })
  closing.push(() => archive.stop())
  const told = () => errors.filter(({ err }) => err?.message === 'the folder has not answered for 0.05 s').length
  await waitFor('two errors', () => told() >= 2)
  expect([calls, used(archive)]).toEqual([2, [old.release]])
  rmSync(at('old.bundle'))
  answer()
  await waitFor('the next look', () => archive.list()?.length === 0)
})

test('requests that want the same bundle at once share one thread', async () => {
  await put('old.bundle')
  const verifier = createBundleVerifier()
  let threads = 0
  const counted = {
    ...{ stop: () => verifier.stop() },
    verify: (told: ToThread) => (told.what === 'sets' && threads++, verifier.verify(told)),
  }
  const archive = followArchive({ folder: folder.path, trusted: () => trusted, log, verifier: counted })
  closing.push(() => archive.stop())
  const [archived] = await waitFor('the archive', () => archive.list())
  const read = await Promise.all([1, 2, 3].map(() => archive.read(archived!)))
  expect([threads, read.map((sets) => sets.length)]).toEqual([1, [2, 2, 2]])
  await archive.read(archived!)
  expect(threads).toBe(2)
})

test('bundles that come, go and change are found; a revoked key makes its bundles unusable', async () => {
  const { archive, quoteAt } = await serving()
  await waitFor('the archive', () => used(archive)?.length === 0)
  expect((await quoteAt(old.release)).body.code).toBe('UNKNOWN_RELEASE')
  await put('old.bundle')
  await waitFor('the bundle', () => used(archive)?.length === 1)
  expect((await quoteAt(old.release)).status).toBe(200)
  trusted = { ...trusted, published: [] }
  await waitFor('the key to be revoked', () => used(archive)?.length === 0)
  expect((await quoteAt(old.release)).body.code).toBe('UNKNOWN_RELEASE')
  trusted = { ...trusted, published: [keys.published] }
  await waitFor('the key', () => used(archive)?.length === 1)
  rmSync(at('old.bundle'))
  await waitFor('no bundle', () => used(archive)?.length === 0)
})

test('until the archive was read, what it may have is 503 and not unknown; quotes and the calendar of the current release are answered', async () => {
  rmSync(folder.path, { recursive: true })
  const { archive, server, get, quoteAt } = await serving()
  await waitFor('the fault to be told', () => errors.length > 0)
  expect([(await quoteAt(old.release)).status, (await get('/v1/releases')).status]).toEqual([503, 503])
  expect((await server.get('/v1/changes.ics', bearer(await server.token()))).status).toBe(200)
  expect((await quoteAt()).body.metadata.release).toBe(present.release)
  mkdirSync(folder.path)
  await put('old.bundle')
  await waitFor('the archive', () => used(archive)?.length === 1)
  expect((await quoteAt(old.release)).status).toBe(200)
})

const inCluster = (change: object = {}, read: KeptReleases['read'] = async () => undefined): KeptReleases => {
  const kept = { name: keptName(old.release), release: old.release, inForce: [PERIOD], bytes: 6, ...change }
  return { list: () => [kept], read, stop: async () => undefined }
}

test('what the cluster cannot give is read from the archive: gone, damaged, or a cluster that is away', async () => {
  await put('old.bundle')
  const away = () => Promise.reject(new Error('ECONNREFUSED'))
  for (const read of [async () => undefined, async () => Buffer.from('broken'), away]) {
    const { archive, quoteAt } = await serving(inCluster({}, read))
    await waitFor('the archive', () => used(archive)?.length === 1)
    expect((await quoteAt(WITHIN)).body.metadata.release).toBe(old.release)
  }
}, 180_000)

test('a release whose content is gone is listed as not kept, until the archive has it, and again when its key is revoked', async () => {
  const { archive, get, quoteAt } = await serving(inCluster({ bytes: 0, notKept: 'packed it takes too much' }))
  await waitFor('the archive', () => used(archive))
  const listed = async () => (await get('/v1/releases')).body.releases.at(-1)
  expect(await listed()).toEqual({ release: old.release, isCurrent: false, inForce: [PERIOD], kept: false })
  const refused = (await quoteAt(WITHIN)).body
  expect([refused.code, refused.message]).toEqual([
    'UNKNOWN_RELEASE',
    expect.stringContaining('packed it takes too much'),
  ])
  await put('old.bundle')
  await waitFor('the bundle', () => used(archive)?.length === 1)
  expect(await listed()).toMatchObject({ kept: true })
  expect((await quoteAt(WITHIN)).body.metadata.release).toBe(old.release)
  // Loaded by now; the key of its only bundle is revoked.
  trusted = { ...trusted, published: [] }
  await waitFor('the key to be revoked', () => used(archive)?.length === 0)
  expect((await quoteAt(WITHIN)).body.code).toBe('UNKNOWN_RELEASE')
  trusted = { ...trusted, published: [keys.published] }
})
