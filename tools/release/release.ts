import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageCharts, pushCharts } from './charts.ts'
import { packCommand } from './command-package.ts'
import { buildImages, imageValues, IMAGES, pushImages, saveImage, type ImageSettings } from './images.ts'
import { natsNotices } from './nats-binary.ts'
import { run } from './process.ts'
import { checksums, digestsIn, provenance } from './provenance.ts'
import { baseHere } from './settings.ts'
import { imageSoftware, natsSoftware, npmSoftware } from './software.ts'

export interface ReleaseSettings extends ImageSettings {
  /** The folder of the release; its previous content is removed. */
  into: string
  withImages: boolean
  push: boolean
  /** A private OpenSSH key that signs the checksums. */
  signKey?: string
  say: (line: string) => void
}

/** Writes a release: the parts, then their digests, then the provenance, then the signature. */
export async function makeRelease(settings: ReleaseSettings): Promise<void> {
  const { into, say, base } = settings
  if (settings.withImages && !base.includes('@sha256:'))
    throw new Error(
      `a release is built on a base that cannot change: NODE_IMAGE=${base} needs its digest, as in ${baseHere()}`,
    )
  if (settings.signKey && !existsSync(settings.signKey))
    throw new Error(`SIGN_KEY=${settings.signKey}: there is no such file; nothing was made`)
  const startedOn = new Date().toISOString()
  rmSync(into, { recursive: true, force: true })
  for (const folder of ['charts', 'command', ...(settings.withImages ? ['images'] : []), 'sbom'])
    mkdirSync(join(into, folder), { recursive: true })
  say('charts and command')
  const archives = await packageCharts(join(into, 'charts'), settings.version)
  await writeCommand(settings)
  const charts = settings.push ? await pushCharts(archives, settings.registry) : []
  const images = settings.withImages ? await writeImages(settings) : { pushed: [] }
  const { version, revision, registry } = settings
  const finishedOn = new Date().toISOString()
  const making = {
    version,
    revision,
    registry,
    startedOn,
    finishedOn,
    ...images,
    pushed: [...charts, ...images.pushed],
  }
  writeJson(into, 'provenance.json', provenance(await digestsIn(into), making))
  writeFileSync(join(into, 'SHA256SUMS'), checksums(await digestsIn(into)))
  if (settings.signKey) await sign(join(into, 'SHA256SUMS'), settings.signKey)
}

const writeJson = (into: string, file: string, value: object): void =>
  writeFileSync(join(into, file), `${JSON.stringify(value, null, 2)}\n`)

async function writeCommand({ into }: ReleaseSettings): Promise<void> {
  writeJson(into, 'sbom/command.cdx.json', await npmSoftware('driveaway', 'command'))
  await packCommand(join(into, 'command'))
}

async function writeImages(settings: ReleaseSettings): Promise<{ base: string; pushed: string[] }> {
  const { into, say } = settings
  say(`images, on ${settings.base}`)
  await buildImages(settings)
  for (const image of ['platform', 'worker'] as const)
    writeJson(into, `sbom/${image}.cdx.json`, await imageSoftware(settings, image))
  writeJson(into, 'sbom/nats.cdx.json', await natsSoftware(settings.version))
  writeFileSync(join(into, 'images/nats-notices.txt'), await natsNotices())
  for (const name of IMAGES) await saveImage(settings, name, join(into, `images/${name}-${settings.tag}.tar.gz`))
  const digests = settings.push ? await pushImages(settings) : undefined
  writeFileSync(join(into, 'images/image.yaml'), imageValues(settings, digests))
  const pushed = digests ? IMAGES.map((name) => `${settings.registry}/driveaway/${name}@${digests[name]}`) : []
  return { base: settings.base, pushed }
}

/** Signs a file with OpenSSH; the signature is `<file>.sig` beside it. */
export const sign = (file: string, key: string): Promise<string> =>
  run('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', 'driveaway-release', file])
