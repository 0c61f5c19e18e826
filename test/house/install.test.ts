import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReleaseSettings } from '../../tools/release/settings.ts'
import { ROOT } from './sources.ts'

// What runs the scripts and the images is known before it is installed.
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
interface Locked {
  version: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages
const platforms = JSON.parse(read('tools/node/package.json')) as {
  version: string
  optionalDependencies: Record<string, string>
}

test('no package may run a script when it is installed', () => {
  expect(execFileSync('npm', ['config', 'get', 'ignore-scripts'], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('true')
})

test('the lockfile has the digest of every package, and of the Node of each platform, which needs no script', () => {
  const ofOthers = Object.entries(locked).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  expect(ofOthers.length).toBeGreaterThan(500)
  expect(ofOthers.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  for (const [name, version] of Object.entries(platforms.optionalDependencies)) {
    expect(version).toBe(platforms.version)
    const found = locked[`node_modules/${name}`]
    expect(found).toMatchObject({ version, dev: true, optional: true })
    expect(found?.hasInstallScript).toBeUndefined()
  }
})

test.runIf(process.platform === 'linux')('what make runs is the Node of the lockfile', () => {
  const node = join(ROOT, 'node_modules/.bin/node')
  expect(realpathSync(node)).toContain(`/node-linux-${process.arch}/`)
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${platforms.version}`)
  const told = execFileSync('make', ['--no-print-directory', '--dry-run', 'told'], { cwd: ROOT, encoding: 'utf8' })
  expect(told).toContain('node_modules/.bin/node node_modules/vitest')
})

test('the images begin with a base whose digest is written here, of the same Node', async () => {
  const { base } = await readReleaseSettings({})
  expect(base).toMatch(/^node:\d+\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/)
  expect(base).toContain(`:${platforms.version}-slim@`)
  expect(read('Dockerfile').match(/^FROM (?!\$\{NODE_IMAGE\}|base )/gm)).toBeNull()
})
