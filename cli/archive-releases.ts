import { existsSync, statSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '#rates/published/canonical.ts'
import { readBundle, type BundleClaims } from '#rates/release/bundle.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { mergedPeriods, provenPeriods } from '#rates/release/in-force.ts'
import { keptName, type KeptRelease } from '#rates/release/kept-release.ts'
import type { OwnReleaseKey } from '#rates/release/keys.ts'
import type { ReleaseKey } from '#rates/release/signed.ts'
import { writeBundle } from '#rates/release/write-bundle.ts'
import { connectTo, listRateSets, type Place, type RateSetObject } from './cluster.ts'
import { WrongCall } from './help.ts'
import { listKept, readKeptAt } from './kept-release.ts'
import { counted } from './output.ts'
import type { Terminal } from './terminal.ts'

/** The keys of an archive: the one that signs, and those that may have signed what is there. */
export interface ArchiveKeys {
  own: OwnReleaseKey
  trusted: readonly ReleaseKey[]
}

interface Archiving extends ArchiveKeys {
  place: Place
  objects: readonly RateSetObject[]
  folder: string
  /** Seconds since 1970, before the cluster was read: a release without an end was in force then. */
  iat: number
}

/**
 * Writes each release that the cluster of `context:NAME` keeps into a folder, as a bundle with its times in force.
 * Nothing is ever deleted, and no file is replaced that is not a valid bundle of the same release. A release that cannot
 * be read or written hinders no other. Returns 1 where there was one, and where no kept release is in force; throws
 * WrongCall.
 */
export async function archiveReleases(
  source: string,
  folder: string,
  keys: ArchiveKeys,
  terminal: Terminal,
): Promise<number> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new WrongCall(`--archive: there is no folder ${folder}; an archive is never made where none was mounted`)
  const place = connectTo(source.slice('context:'.length))
  const iat = Math.floor(Date.now() / 1000)
  const archiving = { ...keys, place, folder, iat, objects: await listRateSets(place) }
  const counts = { written: 0, unchanged: 0, faults: 0 }
  const known = await listKept(place)
  for (const kept of known) {
    if (kept.notKept !== undefined) {
      terminal.note(
        `release ${kept.release} is not archived, because the cluster has no content of it: ${kept.notKept}`,
      )
      continue
    }
    try {
      counts[(await archive(kept, archiving)) ? 'written' : 'unchanged'] += 1
    } catch (error) {
      counts.faults += 1
      terminal.note(`release ${kept.release} is not archived: ${(error as Error).message}`)
    }
  }
  terminal.write(
    `${folder}: ${counted(counts.written, 'release')} written, ${counts.unchanged} unchanged, ${counts.faults} at fault`,
  )
  const isComplete = known.some(({ inForce }) => inForce.at(-1)?.until === undefined)
  if (!isComplete)
    terminal.note(`the namespace ${place.namespace} keeps no release that is in force, so that one is not archived`)
  return counts.faults > 0 || !isComplete ? 1 : 0
}

/** Whether the file of the release had to be written. */
async function archive(kept: KeptRelease, { place, objects, own, trusted, folder, iat }: Archiving): Promise<boolean> {
  const file = join(folder, `${keptName(kept.release)}.bundle`)
  const before = await archivedIn(file, { release: kept.release, environment: own.environment, trusted })
  const inForce = mergedPeriods(before ? provenPeriods(before.inForce ?? [], before.iat) : [], kept.inForce)
  const isOver = inForce.at(-1)?.until !== undefined
  if (isOver && before && canonicalJson(before.inForce ?? []) === canonicalJson(inForce)) return false
  const { content, attestations } = await readKeptAt(place, kept, objects)
  const said = { environment: own.environment, iat, engine: thisEngine(), inForce }
  const bytes = await writeBundle(content, { ...said, attestations: { ...before?.attestations, ...attestations } }, own)
  // A key that signs no more would make a file that nobody reads.
  await readBundle(bytes, trusted)
  await replace(file, bytes)
  return true
}

/** What the archive says of a release; undefined where it has nothing of it. Throws where the file is no such bundle. */
async function archivedIn(
  file: string,
  { release, environment, trusted }: { release: string; environment: string; trusted: readonly ReleaseKey[] },
): Promise<BundleClaims | undefined> {
  if (!existsSync(file)) return undefined
  const isKept = `${file} is there and is not replaced`
  const { claims } = await readBundle(new Uint8Array(await readFile(file)), trusted).catch((error: Error) => {
    throw new Error(`${isKept}: ${error.message}`)
  })
  if (claims.release !== release) throw new Error(`${isKept}: it is of release ${claims.release}`)
  if (claims.environment !== environment) throw new Error(`${isKept}: it is of environment ${claims.environment}`)
  return claims
}

/** A reader finds the old file or the new one, also after a loss of power. */
async function replace(file: string, bytes: Uint8Array): Promise<void> {
  const beside = `${file}.${process.pid}.new`
  try {
    const handle = await open(beside, 'w', 0o644)
    await handle.writeFile(bytes)
    await handle.sync()
    await handle.close()
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
