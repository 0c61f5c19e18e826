import type { Counter } from 'prom-client'
import { unpackRelease, type KeptSet } from '#rates/release/kept-release.ts'
import { ReleaseFault } from '#rates/release/signed.ts'
import type { Logger } from '#runtime/log.ts'
import type { ReleaseArchive } from './archive.ts'
import type { KeptReleases } from './kept-releases.ts'
import { notReadable, Unusable } from './refusals.ts'
import { isInCluster, type KnownRelease } from './timeline.ts'

export interface SetsOptions {
  kept: KeptReleases
  archive: ReleaseArchive
  log: Pick<Logger, 'error'>
  loads: Counter<'outcome'>
}

/** Reads the rate sets of an earlier release. Throws Unusable where they are gone or damaged, `not_ready` where they cannot be read now. */
export type ReadSets = (known: KnownRelease) => Promise<KeptSet[]>

/** Reads from the cluster, and from the archive what the cluster does not give. */
export function createReadSets(options: SetsOptions): ReadSets {
  const { loads, log } = options
  return async (known) => {
    const { release } = known
    const faults: unknown[] = []
    for (const read of sourcesOf(known, options)) {
      try {
        return await read()
      } catch (error) {
        log.error({ err: error, release }, 'an earlier release could not be read in one of the places that have it')
        faults.push(error)
      }
    }
    const isRefused = faults.every((fault) => fault instanceof ReleaseFault)
    loads.inc({ outcome: isRefused ? 'refused' : 'failed' })
    if (!isRefused) throw notReadable(`Release ${release} cannot be read at the moment; try again.`)
    throw new Unusable(said(known, faults as ReleaseFault[]))
  }
}

function sourcesOf(known: KnownRelease, { kept, archive }: SetsOptions): (() => Promise<KeptSet[]>)[] {
  const { release, kept: inCluster, archived } = known
  const fromCluster = async () => {
    const packed = inCluster && (await kept.read(inCluster))
    if (!packed) throw new ReleaseFault('not_readable', GONE)
    return unpackRelease(packed, release)
  }
  return [...(isInCluster(known) ? [fromCluster] : []), ...(archived ? [() => archive.read(archived)] : [])]
}

const GONE = 'it is gone'

function said({ release, kept }: KnownRelease, faults: readonly ReleaseFault[]): string {
  if (faults.length === 0)
    return `Release ${release} is not kept${kept?.notKept === undefined ? '' : `: ${kept.notKept}`}.`
  if (faults.every(({ message }) => message === GONE)) return `Release ${release} is not kept any more.`
  return `Release ${release} is damaged where it is kept, and is not used.`
}
