import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { run } from './run.ts'

const root = join(import.meta.dirname, '../..')

export const TAG = 'e2e'
/** No registry: what is loaded into the node under this name is never pulled. */
export const REGISTRY = 'localhost'
const nameOf = (image: string) => `${REGISTRY}/driveaway/${image}:${TAG}`
export const images = ['platform', 'worker', 'nats'].map(nameOf)

/** Builds the project's images from its Dockerfile, and one of the pinned nats-server. */
export async function buildImages(): Promise<void> {
  const registry = process.env['NPM_CONFIG_REGISTRY'] ?? process.env['npm_config_registry']
  const mirror = registry === undefined ? [] : ['--build-arg', `NPM_CONFIG_REGISTRY=${registry}`]
  for (const target of ['platform', 'worker']) {
    const flags = ['--network', 'host', ...mirror, '--target', target, '--tag', nameOf(target)]
    await run('docker', ['build', '--quiet', ...flags, root])
  }
  await buildNats()
}

async function buildNats(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'driveaway-nats-image-'))
  // The binary is static: nothing else is needed in the image.
  copyFileSync(await ensureBinary('nats-server'), join(folder, 'nats-server'))
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY nats-server /usr/bin/nats-server\nENV PATH=/usr/bin\n')
  await run('docker', ['build', '--quiet', '--tag', nameOf('nats'), folder])
  rmSync(folder, { recursive: true })
}

/** The size of each image in megabytes. */
export async function imageSizes(): Promise<Record<string, number>> {
  const lines = await run('docker', ['image', 'inspect', '--format', '{{index .RepoTags 0}} {{.Size}}', ...images])
  const sizes = lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
  return Object.fromEntries(sizes.map(([name, bytes]) => [name, Math.round(Number(bytes) / 1e6)]))
}
