import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../cli/commands.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { imageValues, referenceOf } from '../../tools/release/images.ts'
import { makeRelease } from '../../tools/release/release.ts'
import { readReleaseSettings } from '../../tools/release/settings.ts'
import type { Bill } from '../../tools/release/software.ts'
import { thirdPartyNotices } from '../../tools/release/third-party.ts'
import { render } from '../charts/render.ts'
import { freePort } from '../harness/free-port.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'

// A release without images, pushed to a real registry, used as those who receive it would.
const SLOW_MS = 300_000
const VERSION = '0.1.0'
const folder = temporaryDirectory('release')
const into = join(folder.path, 'release')
const key = join(folder.path, 'key')
const inRelease = (command: string, args: string[]) => execFileSync(command, args, { cwd: into, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(into, file), 'utf8')
let registry: ChildProcess
let address: string

beforeAll(async () => {
  const port = await freePort()
  address = `127.0.0.1:${port}/team`
  registry = spawn(await ensureBinary('oci-registry'), ['-port', String(port)], { stdio: 'ignore' })
  await waitFor('the registry', async () => (await fetch(`http://127.0.0.1:${port}/v2/`)).ok)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', key])
  await makeRelease({
    ...{ registry: address, tag: VERSION, version: VERSION, base: 'node:24-slim', revision: 'c0ffee' },
    ...{ into, withImages: false, push: true, signKey: key, say: () => undefined },
  })
}, SLOW_MS)
afterAll(() => {
  registry?.kill()
  folder.remove()
})

test('whoever receives a release checks its files, and sees which one was changed', () => {
  expect(inRelease('sha256sum', ['--check', 'SHA256SUMS'])).toContain(`command/driveaway-${VERSION}.tgz: OK`)
  const changed = join(folder.path, 'changed')
  cpSync(into, changed, { recursive: true })
  appendFileSync(join(changed, 'provenance.json'), ' ')
  expect(() => execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: changed, stdio: 'pipe' })).toThrow(
    'computed checksum did NOT match',
  )
})

test('the checksums are signed by the key that was given, and by no other', () => {
  const signers = join(folder.path, 'signers')
  const verify = (publicKey: string) => {
    writeFileSync(signers, `releases ${publicKey}`)
    const args = ['-Y', 'verify', '-f', signers, '-I', 'releases', '-n', 'driveaway-release', '-s', 'SHA256SUMS.sig']
    return execFileSync('ssh-keygen', args, { cwd: into, input: read('SHA256SUMS'), encoding: 'utf8', stdio: 'pipe' })
  }
  expect(verify(readFileSync(`${key}.pub`, 'utf8'))).toContain('Good "driveaway-release" signature')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${key}-other`])
  expect(() => verify(readFileSync(`${key}-other.pub`, 'utf8'))).toThrow()
})

test('the provenance names the commit, the lockfiles, and the digest of each file and each pushed chart', () => {
  const { subject, predicate } = JSON.parse(read('provenance.json')) as {
    subject: { name: string; digest: { sha256: string } }[]
    predicate: { buildDefinition: { resolvedDependencies: { uri: string; digest: Record<string, string> }[] } }
  }
  const sums = read('SHA256SUMS').trim().split('\n')
  const files = subject.filter(({ name }) => !name.startsWith(address))
  expect(files.map(({ name, digest }) => `${digest.sha256}  ${name}`)).toEqual(
    sums.filter((line) => !line.endsWith(' provenance.json')),
  )
  const charts = subject.filter(({ name }) => name.startsWith(address)).map(({ name }) => name)
  expect(charts).toEqual(['driveaway-crds', 'driveaway'].map((chart) => `${address}/charts/${chart}`))
  const { resolvedDependencies } = predicate.buildDefinition
  expect(resolvedDependencies[0]).toEqual({ uri: 'git:driveaway', digest: { gitCommit: 'c0ffee' } })
  const [sum] = execFileSync('sha256sum', ['package-lock.json'], { encoding: 'utf8' }).split(' ')
  expect(resolvedDependencies).toContainEqual({ uri: 'package-lock.json', digest: { sha256: sum } })
})

test('a key that is not there is named before anything is made, and no folder stands for images that were not built', async () => {
  const elsewhere = join(folder.path, 'elsewhere')
  const made = makeRelease({
    ...{ registry: address, tag: VERSION, version: VERSION, base: 'node:24-slim', revision: 'c0ffee' },
    ...{ into: elsewhere, withImages: false, push: false, signKey: '/nowhere', say: () => undefined },
  })
  await expect(made).rejects.toThrow('SIGN_KEY=/nowhere: there is no such file')
  expect(existsSync(elsewhere)).toBe(false)
  expect(existsSync(join(into, 'images'))).toBe(false)
})

test('a pushed chart is installed from the registry, with the values of the environments in it', async () => {
  const helm = await ensureBinary('helm')
  const chart = `oci://${address}/charts/driveaway`
  const values = ['--set', 'issuer.url=https://pricing.example', '--set', 'image.registry=registry.example']
  const args = [
    'template',
    'release',
    chart,
    '--version',
    VERSION,
    '--plain-http',
    '--kube-version',
    '1.34.0',
    ...values,
  ]
  const rendered = execFileSync(helm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  expect(rendered).toContain(`image: registry.example/driveaway/platform:${VERSION}`)
  const files = inRelease('tar', ['tzf', `charts/driveaway-${VERSION}.tgz`])
  expect(files).toContain('driveaway/environments/production-apac.yaml')
})

test('the command runs where it is installed, with the dependencies of the lockfile', { timeout: SLOW_MS }, () => {
  const user = join(folder.path, 'user')
  mkdirSync(join(user, 'rates/sets/au-act'), { recursive: true })
  writeFileSync(join(user, 'package.json'), '{"private":true}')
  for (const set of ['au', 'au-act'])
    cpSync(`rates/sets/${set}/fy27.yaml`, join(user, `rates/sets/${set}/fy27.yaml`), { recursive: true })
  const archive = join(into, `command/driveaway-${VERSION}.tgz`)
  // No registry is asked: everything is in the archive.
  const quietly = ['--offline', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['install', ...quietly, archive], { cwd: user, stdio: ['ignore', 'ignore', 'inherit'] })
  const driveaway = (...args: string[]) =>
    execFileSync(process.execPath, ['node_modules/.bin/driveaway', ...args], { cwd: user, encoding: 'utf8' })
  expect(driveaway('--version')).toContain(VERSION)
  expect(driveaway('lint', 'rates/sets')).toMatch(/^2 rate sets, \d+ examples.*no faults/m)
  expect(driveaway('test', 'rates/sets')).toContain('all pass')
  for (const name of Object.keys(commands)) expect(driveaway('help', name)).toContain(`driveaway ${name}`)
  expect(driveaway('completion', 'bash')).toContain('complete')
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const at = (path: string) => join(user, 'node_modules/driveaway', path, 'package.json')
  const installed = Object.entries(packages).filter(
    ([path, locked]) => path && isDelivered(locked) && existsSync(at(path)),
  )
  expect(installed.length).toBeGreaterThan(150)
  expect(readdirSync(join(user, 'node_modules/driveaway/node_modules'))).not.toContain('driveaway-node')
  const versionAt = (path: string) => (JSON.parse(readFileSync(at(path), 'utf8')) as { version: string }).version
  expect(installed.filter(([path, { version }]) => versionAt(path) !== version)).toEqual([])
})

const isDelivered = ({ dev, optional, devOptional, link }: Lock['packages'][string]) =>
  !dev && !optional && !devOptional && !link

interface Lock {
  packages: Record<
    string,
    { version: string; integrity?: string; dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }
  >
}

test('the bill of materials of the command lists each production package of the lockfile, and no other', () => {
  const { components, metadata } = JSON.parse(read('sbom/command.cdx.json')) as Bill
  expect(metadata.component.name).toBe('driveaway')
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const expected = Object.entries(packages).flatMap(([path, locked]) =>
    path !== '' && isDelivered(locked) ? [`${path.split('node_modules/').at(-1)}@${locked.version}`] : [],
  )
  expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(expected))
})

test('the notices have what each licence asks for: its text, and for libvips the texts of the LGPL and the GPL', () => {
  const notices = thirdPartyNotices(process.cwd(), (name) => ['koa', '@img/sharp-libvips-linux-x64'].includes(name))
  expect(notices).toMatch(/^koa \d\S+ \(MIT\)\n[\s\S]*Permission is hereby granted/m)
  expect(notices).toMatch(/^@img\/sharp-libvips-linux-x64 \S+ \(LGPL-3.0-or-later\)$/m)
  expect(notices).toContain('| libvips       | LGPLv3')
  for (const text of ['GNU LESSER GENERAL PUBLIC LICENSE', 'GNU GENERAL PUBLIC LICENSE'])
    expect(notices).toContain(text)
  expect(thirdPartyNotices(process.cwd(), (name) => name === 'koa')).not.toContain('LESSER')
  const packed = execFileSync('tar', [
    'xzOf',
    join(into, `command/driveaway-${VERSION}.tgz`),
    'package/THIRD-PARTY-NOTICES.txt',
  ])
  expect(packed.toString()).toMatch(/^@kubernetes\/client-node /m)
  expect(packed.toString()).not.toMatch(/^vitest /m)
})

test('the values for pushed images name them by digest, and the chart takes them', async () => {
  const settings = {
    registry: 'registry.example/team',
    tag: '1.2.3',
    base: 'node:24-slim',
    version: '1.2.3',
    revision: '',
  }
  expect(referenceOf(settings, 'worker')).toBe('registry.example/team/driveaway/worker:1.2.3')
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`
  const values = imageValues(settings, { platform: digest('a'), worker: digest('b'), nats: digest('c') })
  expect((parse(values) as { image: object }).image).toMatchObject({ worker: { digest: digest('b') } })
  const file = join(folder.path, 'image.yaml')
  writeFileSync(file, values)
  const objects = JSON.stringify(
    await render('driveaway', 'driveaway', [
      '--values',
      file,
      '--set',
      'issuer.url=https://pricing.example',
      '--set',
      'image.registry=registry.example/team',
    ]),
  )
  expect(objects).toContain(`"registry.example/team/driveaway/nats@${digest('c')}"`)
  writeFileSync(file, imageValues(settings))
  expect(readFileSync(file, 'utf8')).toContain('worker: { repository: driveaway/worker, tag: "1.2.3" }')
})

test('a release with images is refused on a base that can change, before anything of an earlier release is removed', async () => {
  const settings = { ...(await readReleaseSettings({ NODE_IMAGE: 'node:24-slim' })), into, withImages: true }
  await expect(makeRelease({ ...settings, say: () => undefined })).rejects.toThrow(
    /NODE_IMAGE=node:24-slim needs its digest, as in node:24\.\S+-slim@sha256:[0-9a-f]{64}$/,
  )
  expect(existsSync(join(into, 'SHA256SUMS'))).toBe(true)
})

test('a push without a registry is refused, and no part of a release is missing', async () => {
  await expect(readReleaseSettings({ PUSH: '1' })).rejects.toThrow('PUSH=1 needs REGISTRY')
  const parts = readdirSync(into).sort()
  expect(parts).toEqual(['SHA256SUMS', 'SHA256SUMS.sig', 'charts', 'command', 'provenance.json', 'sbom'])
})
