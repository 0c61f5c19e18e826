import { existsSync } from 'node:fs'
import { createFolder, type Following } from '#explorer/follow-folder.ts'
import { oldSide } from '#explorer/differences.ts'
import { servedOf, type Old, type ExplorerRates } from '#explorer/served.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import { isBundle } from './side-files.ts'
import { snapshotOf } from './sides.ts'
import { localDay } from './today.ts'

/** The checks take seconds of a processor: the browser that somebody opens first comes before them. */
const CHECK_AFTER_MS = 2_000

/** The rates of a side, and what follows the changes of a folder; of other sides, nothing is followed. */
export interface Shown {
  rates: ExplorerRates
  follow: (show: (rates: ExplorerRates) => void) => Following | undefined
}

/**
 * Reads a side, and the old side to compare it with, if any. Throws as `snapshotOf` of sides.ts; never for a folder that
 * is shown already.
 */
export async function readShown(
  label: string,
  { against, keys }: { against?: string | undefined; keys?: string | undefined },
  shownBefore?: Snapshot,
): Promise<Shown> {
  const oldOf = await againstSide(against, keys)
  if (!shownBefore && (!existsSync(label) || isBundle(label)))
    return { rates: shown(label, await snapshotOf(label, keys), oldOf), follow: () => undefined }
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
): Promise<(now: Snapshot) => Old | undefined> {
  if (label === undefined) return () => undefined
  const snapshot = await snapshotOf(label, keysFile)
  return (now) => oldSide({ label, snapshot }, now, localDay(new Date()))
}

function shown(label: string, snapshot: Snapshot, oldOf: (now: Snapshot) => Old | undefined): ExplorerRates {
  const old = oldOf(snapshot)
  return servedOf(label, snapshot, { faults: [], outdated: false, ...(old && { old }) })
}
