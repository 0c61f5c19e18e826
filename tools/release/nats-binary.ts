import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce } from '../binaries/build.ts'
import { binaryNamed } from '../binaries/catalog.ts'
import { root } from '../stack/settings.ts'
import { run } from './process.ts'

/** A Go module that is part of a binary. */
export interface GoModule {
  path: string
  version: string
}

/** The nats-server pinned in tools/nats/go.mod, built once. Never one from PATH, which may have another version. */
export const pinnedNats = (): Promise<string> =>
  buildOnce(binaryNamed('nats-server'), {
    tools: join(root, 'tools'),
    cache: join(root, '.cache/bin'),
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
  })

/** The modules linked into it, as Go recorded them in the binary. */
export async function natsModules(): Promise<GoModule[]> {
  const told = await run('go', ['version', '-m', await pinnedNats()])
  const found = [...told.matchAll(/^\t(?:mod|dep)\t(\S+)\t(v\S+)/gm)].map(([, path = '', version = '']) => ({
    path,
    version,
  }))
  return found.filter(({ path }) => !path.startsWith('driveaway/'))
}

/** The licence of each of these modules, from Go's module cache. */
export async function natsNotices(): Promise<string> {
  const told = await Promise.all((await natsModules()).map(licenceOf))
  return `Software in nats-server, and its licences\n\n${told.join('\n')}`
}

async function licenceOf({ path, version }: GoModule): Promise<string> {
  const told = await run('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd: join(root, 'tools/nats') })
  const { Dir: folder } = JSON.parse(told.slice(told.indexOf('{'))) as { Dir: string }
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0) throw new Error(`${path}@${version} has no licence file`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${'='.repeat(80)}\n${path} ${version}\n\n${texts.join('\n\n')}\n`
}
