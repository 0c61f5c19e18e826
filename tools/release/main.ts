import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/settings.ts'
import { readReleaseSettings } from './settings.ts'
import { buildImages, hasEngine, imageValues, pinnedBase, pushImages } from './images.ts'
import { run } from './process.ts'
import { makeRelease } from './release.ts'

// Called as `main.ts images` or `main.ts release`; its settings are environment variables (docs/releases.md).
const say = (line: string) => process.stdout.write(`${line}\n`)

async function images(): Promise<void> {
  const requested = await readReleaseSettings(process.env)
  if (!(await hasEngine())) throw new Error('make images needs a Docker engine that answers: docker version')
  const settings = { ...requested, base: await pinnedBase(requested.base) }
  await buildImages(settings)
  const values = imageValues(settings, settings.push ? await pushImages(settings) : undefined)
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist/image.yaml'), values)
  say(`${values}\nThese values are in dist/image.yaml, for helm --values.`)
}

async function release(): Promise<void> {
  const requested = await readReleaseSettings(process.env)
  const changed = (await run('git', ['status', '--porcelain'], { cwd: root })).trim()
  if (changed) throw new Error(`a release is made of a commit, and these files differ from it:\n${changed}`)
  const withImages = await hasEngine()
  if (!withImages) say('no Docker engine answers: this release has no images')
  const into = join(root, 'dist', `release-${requested.version}`)
  await makeRelease({ ...requested, into, withImages, say })
  say(`${into}\nsha256sum --check SHA256SUMS, in that folder, checks the files.`)
  if (!requested.signKey) say('It is not signed: SIGN_KEY names a private key of OpenSSH.')
}

try {
  await (process.argv[2] === 'images' ? images() : release())
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
