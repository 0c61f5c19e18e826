import { spawn } from 'node:child_process'
import { copyFileSync, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { root } from '../stack/settings.ts'
import { natsNotices, pinnedNats } from './nats-binary.ts'
import { run } from './process.ts'

export const IMAGES = ['platform', 'worker', 'nats'] as const
export type ImageName = (typeof IMAGES)[number]

export interface ImageSettings {
  /** The registry and the path in it, such as registry.example.com/team. */
  registry: string
  tag: string
  /** The base image: a name, or better a name with a digest. */
  base: string
  version: string
  /** The commit to build. */
  revision: string
  /** Additional flags of `docker build`. */
  flags?: readonly string[]
}

export const referenceOf = ({ registry, tag }: ImageSettings, name: ImageName): string =>
  `${registry}/driveaway/${name}:${tag}`

/** Whether a Docker engine answers. */
export const hasEngine = (): Promise<boolean> =>
  run('docker', ['version']).then(
    () => true,
    () => false,
  )

/** Builds the three images; errors contain the output of docker. */
export async function buildImages(settings: ImageSettings): Promise<void> {
  for (const target of ['platform', 'worker'] as const) {
    const base = ['--build-arg', `NODE_IMAGE=${settings.base}`]
    await build(settings, target, [...base, '--target', target, root])
  }
  await buildNats(settings)
}

function build(settings: ImageSettings, name: ImageName, args: readonly string[]): Promise<string> {
  const labels = { version: settings.version, revision: settings.revision, title: `driveaway ${name}` }
  const labelling = Object.entries(labels).flatMap(([key, value]) => [
    '--label',
    `org.opencontainers.image.${key}=${value}`,
  ])
  const flags = [...(settings.flags ?? []), ...labelling, '--tag', referenceOf(settings, name)]
  return run('docker', ['build', '--quiet', ...flags, ...args])
}

/** The pinned nats-server and its licences, nothing else: the binary is static. */
async function buildNats(settings: ImageSettings): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'driveaway-nats-image-'))
  try {
    copyFileSync(await pinnedNats(), join(folder, 'nats-server'))
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), await natsNotices())
    const copied = 'COPY nats-server /usr/bin/nats-server\nCOPY THIRD-PARTY-NOTICES.txt /\n'
    writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\n${copied}ENV PATH=/usr/bin\nUSER 65532:65532\n`)
    await build(settings, 'nats', [folder])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The base image by the digest of its registry, if the engine knows one. */
export async function pinnedBase(base: string): Promise<string> {
  if (base.includes('@')) return base
  await run('docker', ['image', 'inspect', base]).catch(() => run('docker', ['pull', '--quiet', base]))
  const digests = JSON.parse(await run('docker', ['image', 'inspect', '--format', '{{json .RepoDigests}}', base])) as
    string[] | null
  return digests?.[0] ?? base
}

/** Pushes the images; returns the digest that the registry has for each. */
export async function pushImages(settings: ImageSettings): Promise<Record<ImageName, string>> {
  const pushed = await Promise.all(
    IMAGES.map(async (name) => {
      const said = await run('docker', ['push', referenceOf(settings, name)])
      const digest = /digest: (sha256:[0-9a-f]{64})/.exec(said)?.[1]
      if (!digest) throw new Error(`docker push ${referenceOf(settings, name)} named no digest: ${said}`)
      return [name, digest] as const
    }),
  )
  return Object.fromEntries(pushed) as Record<ImageName, string>
}

/** Chart values that select these images: by digest if they were pushed, else by tag. */
export function imageValues(settings: ImageSettings, digests?: Record<ImageName, string>): string {
  const lines = IMAGES.map((name) => {
    const which = digests ? `digest: "${digests[name]}"` : `tag: "${settings.tag}"`
    return `  ${name}: { repository: driveaway/${name}, ${which} }`
  })
  return `image:\n  registry: ${settings.registry}\n${lines.join('\n')}\n`
}

/** Writes an image as an archive for `docker load`. */
export async function saveImage(settings: ImageSettings, name: ImageName, path: string): Promise<void> {
  const child = spawn('docker', ['save', referenceOf(settings, name)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [[code]] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    pipeline(child.stdout, createGzip(), createWriteStream(path)),
  ])
  if (code !== 0) throw new Error(`docker save ${referenceOf(settings, name)} ended with ${code}`)
}
