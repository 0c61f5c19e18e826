import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { root } from '../stack/settings.ts'

/** The inputs and the time of a release. */
export interface Making {
  version: string
  /** The commit of the sources. */
  revision: string
  registry: string
  /** The base image, by digest if known; absent when no image was built. */
  base?: string
  /** Images and charts that were pushed, each as `name@sha256:…`. */
  pushed: readonly string[]
  startedOn: string
  finishedOn: string
}

const LOCKS = ['package-lock.json', 'tools/nats/go.sum', 'tools/helm/go.sum']

/** The digest of each file below a folder, by its path there. */
export async function digestsIn(folder: string): Promise<Map<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  const digests = new Map<string, string>()
  for (const path of paths) digests.set(relative(folder, path), await digestOf(path))
  return digests
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The file for `sha256sum --check`. */
export const checksums = (digests: ReadonlyMap<string, string>): string =>
  [...digests].map(([path, digest]) => `${digest}  ${path}\n`).join('')

/**
 * The provenance of a release: an in-toto statement with the SLSA predicate (https://slsa.dev/spec/v1.0/provenance).
 */
export function provenance(digests: ReadonlyMap<string, string>, making: Making): object {
  const named = making.pushed.map((each) => each.split('@sha256:') as [string, string])
  const subjects = [...digests, ...named].map(([name, sha256]) => ({ name, digest: { sha256 } }))
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://driveaway.dev/make-release/v1',
        externalParameters: { version: making.version, registry: making.registry },
        resolvedDependencies: dependencies(making),
      },
      runDetails: {
        builder: { id: 'https://driveaway.dev/make-release' },
        metadata: { startedOn: making.startedOn, finishedOn: making.finishedOn },
      },
    },
  }
}

function dependencies({ revision, base }: Making): object[] {
  const locks = LOCKS.map((uri) => ({
    uri,
    digest: {
      sha256: createHash('sha256')
        .update(readFileSync(join(root, uri)))
        .digest('hex'),
    },
  }))
  const sha256 = base?.split('@sha256:')[1]
  const image = base === undefined ? [] : [{ uri: `docker:${base}`, ...(sha256 && { digest: { sha256 } }) }]
  return [{ uri: 'git:driveaway', digest: { gitCommit: revision } }, ...locks, ...image]
}
