import { buildImages as build, IMAGES, referenceOf } from '../../tools/release/images.ts'
import { run } from './run.ts'

export const TAG = 'e2e'
/** No registry: what is loaded into the node under this name is never pulled. */
export const REGISTRY = 'localhost'

const mirror = process.env['NPM_CONFIG_REGISTRY'] ?? process.env['npm_config_registry']
const settings = {
  // By tag: an engine without a registry knows its images by nothing else.
  ...{
    registry: REGISTRY,
    tag: TAG,
    base: process.env['NODE_IMAGE'] || 'node:24-slim',
    version: '0.0.0',
    revision: 'e2e',
  },
  flags: ['--network', 'host', ...(mirror === undefined ? [] : ['--build-arg', `NPM_CONFIG_REGISTRY=${mirror}`])],
}

export const images = IMAGES.map((name) => referenceOf(settings, name))

/** Builds the images as a release has them. */
export const buildImages = (): Promise<void> => build(settings)

/** The size of each image in megabytes. */
export async function imageSizes(): Promise<Record<string, number>> {
  const lines = await run('docker', ['image', 'inspect', '--format', '{{index .RepoTags 0}} {{.Size}}', ...images])
  const sizes = lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
  return Object.fromEntries(sizes.map(([name, bytes]) => [name, Math.round(Number(bytes) / 1e6)]))
}
