import { existsSync } from 'node:fs'
import { createFolder, type Following } from '#explorer/follow-folder.ts'
import { oldSide } from '#explorer/differences.ts'
import { servedOf, type Old, type ExplorerRates } from '#explorer/served.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import type { SideFiles } from '#explorer/first-look.ts'
import { CannotPrice } from './faults.ts'
import { contextIn, isBundle } from './side-files.ts'
import { compiled, snapshotOf } from './sides.ts'
import { localDay } from './today.ts'

/** The checks take seconds of a processor: the browser that somebody opens first comes before them. */
const CHECK_AFTER_MS = 2_000

/** The rates of a side, and what follows the changes of a folder; of other sides, nothing is followed. */
export interface Shown {
  rates: ExplorerRates
  follow: (show: (rates: ExplorerRates) => void) => Following | undefined
}

/** What is read already: the files of both sides, and the rates that are shown. */
export interface ReadBefore {
  side?: SideFiles | undefined
  old?: SideFiles | undefined
  shownBefore?: Snapshot | undefined
}

/**
 * Reads a side, and the old side to compare it with, if any. Throws as `snapshotOf` of sides.ts; never for a folder that
 * is shown already.
 */
export async function readShown(
  label: string,
  { against, keys }: { against?: string | undefined; keys?: string | undefined },
  { side, old, shownBefore }: ReadBefore = {},
): Promise<Shown> {
  const oldOf = await againstSide(against, keys, old)
  if (!shownBefore && (!existsSync(label) || isBundle(label)))
    return { rates: shown(label, await snapshotAt(label, keys, side), oldOf), follow: () => undefined }
  const folder = createFolder(label, parsedFiles(), oldOf, shownBefore)
  return {
    rates: folder.read(),
    follow: (show) => {
      setTimeout(() => void folder.check(show), CHECK_AFTER_MS).unref()
      return folder.follow(show)
    },
  }
}

/** Compares a snapshot with the old side; undefined when nothing is compared. */
async function againstSide(
  label: string | undefined,
  keysFile: string | undefined,
  files: SideFiles | undefined,
): Promise<(now: Snapshot) => Old | undefined> {
  if (label === undefined) return () => undefined
  const snapshot = await snapshotAt(label, keysFile, files)
  return (now) => oldSide({ label, snapshot }, now, localDay(new Date()))
}

/** A cluster is asked once: its files are what was read then. */
const snapshotAt = (label: string, keysFile: string | undefined, files: SideFiles | undefined) =>
  files && contextIn(label) !== undefined
    ? compiled({ label, files: files.files.filter((file) => typeof file !== 'string') })
    : snapshotOf(label, keysFile)

function shown(label: string, snapshot: Snapshot, oldOf: (now: Snapshot) => Old | undefined): ExplorerRates {
  if (snapshot.specs.length === 0) throw new CannotPrice(`${label} has no rate set that is in force`)
  const old = oldOf(snapshot)
  return servedOf(label, snapshot, { faults: [], outdated: false, ...(old && { old }) })
}
