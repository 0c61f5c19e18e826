import { thisEngine } from '#rates/release/engine-digest.ts'
import type { OwnReleaseKey } from '#rates/release/keys.ts'
import { packBundle, signContent, type Circumstances } from '#rates/release/write-bundle.ts'
import { ApiError } from '../errors.ts'
import type { ReleaseKeyRing } from '../load/follow-release-keys.ts'
import type { HeldRates } from '../load/held.ts'
import type { Releases } from './releases.ts'

/** One release as a signed file. */
export interface Bundle {
  bytes: Buffer
  /** Names everything that the bytes depend on, except the time at which a process signed them. */
  version: string
}

export interface Bundles {
  /**
   * The bundle of a release; `path` is the JSON pointer of the field that names it. Throws as `Releases.content`,
   * BUNDLE_NOT_AVAILABLE where this environment has no key that signs, and BUNDLE_NOT_SIGNED where its key fails.
   */
  bundleOf(release: string, rates: HeldRates, path: string): Promise<Bundle>
}

export interface BundlesOptions {
  releases: Pick<Releases, 'content' | 'inForce'>
  releaseKeys: () => ReleaseKeyRing
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** Bundles that a process keeps: the current release, which every evaluator follows, and a few others. */
const MOST_KEPT = 4

/** Signs a release on the first request for it and keeps the bytes, so that evaluators that follow cost nothing. */
export function createBundles({ releases, releaseKeys, clock }: BundlesOptions): Bundles {
  const kept = new Map<string, Promise<Buffer>>()
  return {
    bundleOf: async (release, rates, path) => {
      const own = releaseKeys().signing(clock())
      if (!own) throw notAvailable()
      const inForce = releases.inForce(release, rates)
      const version = JSON.stringify([release, own.published, thisEngine(), inForce])
      const write = async () => {
        const text = await releases.content(release, rates, path)
        return sign({ text, release }, own, { iat: Math.floor(clock() / 1000), ...(inForce && { inForce }) })
      }
      return { version, bytes: await keptOrWritten(kept, version, write) }
    },
  }
}

/** One signature for all that ask at the same time; a failure is not kept. */
function keptOrWritten(
  kept: Map<string, Promise<Buffer>>,
  version: string,
  write: () => Promise<Buffer>,
): Promise<Buffer> {
  const bytes = kept.get(version) ?? write()
  // Asked for last, forgotten last.
  kept.delete(version)
  kept.set(version, bytes)
  bytes.catch(() => kept.get(version) === bytes && kept.delete(version))
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
  return bytes
}

async function sign(
  content: { text: string; release: string },
  own: OwnReleaseKey,
  times: Pick<Circumstances, 'iat' | 'inForce'>,
): Promise<Buffer> {
  const { environment } = own
  const circumstances = { environment, ...times, engine: thisEngine(), attestations: {} }
  const text = await signContent(content, circumstances, own).catch((cause: unknown) => {
    const message = 'The bundle cannot be signed at the moment. Try again.'
    throw new ApiError('BUNDLE_NOT_SIGNED', message, { cause, headers: { 'retry-after': '30' } })
  })
  const { buffer, byteOffset, byteLength } = await packBundle(text)
  return Buffer.from(buffer, byteOffset, byteLength)
}

const notAvailable = (): ApiError =>
  new ApiError(
    'BUNDLE_NOT_AVAILABLE',
    'This environment signs no bundles; ask for application/vnd.driveaway.release+json, the content without a signature.',
  )
