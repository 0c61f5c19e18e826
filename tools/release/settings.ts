import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { versionHere } from '#runtime/build-info.ts'
import { root } from '../stack/settings.ts'
import type { ImageSettings } from './images.ts'
import { run } from './process.ts'

/** The default base image: the Dockerfile's, by digest. */
export function baseHere(): string {
  const named = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1]
  if (!named) throw new Error('Dockerfile: a line ARG NODE_IMAGE=<name>@sha256:<digest> is missing')
  return named
}

/** The settings of `make images` and `make release` from their variables. Throws for a push without a registry. */
export async function readReleaseSettings(
  env: NodeJS.ProcessEnv,
): Promise<ImageSettings & { push: boolean; signKey?: string }> {
  const version = versionHere()
  const push = env['PUSH'] === '1'
  const registry = (env['REGISTRY'] ?? '').replace(/\/$/, '')
  if (push && !registry) throw new Error('PUSH=1 needs REGISTRY: where to, such as REGISTRY=registry.example.com/team')
  const mirror = env['NPM_CONFIG_REGISTRY'] ?? env['npm_config_registry']
  const signKey = env['SIGN_KEY']
  return {
    version,
    push,
    registry: registry || 'localhost',
    tag: env['TAG'] || version,
    base: env['NODE_IMAGE'] || baseHere(),
    revision: (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).trim(),
    flags: [
      ...(env['DOCKER_BUILD_FLAGS']?.split(' ').filter(Boolean) ?? []),
      ...(mirror === undefined ? [] : ['--build-arg', `NPM_CONFIG_REGISTRY=${mirror}`]),
    ],
    ...(signKey && { signKey }),
  }
}
