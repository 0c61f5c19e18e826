import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { canonicalJson, sha256 } from '#rates/published/canonical.ts'
import { readBundle, type OpenedBundle } from '#rates/release/bundle.ts'
import { provenPeriods, type InForce } from '#rates/release/in-force.ts'
import type { KeptSet } from '#rates/release/kept-release.ts'
import { ReleaseFault, type ReleaseKey } from '#rates/release/signed.ts'

// Entry point of the thread of archive.ts: verifies bundles one after another, and ends.

/** What the thread is to do: say which releases the files have, or say the rate sets of the only file. */
export interface ToThread {
  files: readonly string[]
  keys: readonly ReleaseKey[]
  /** The environment whose bundles are accepted; undefined: that of each key. */
  environment?: string
  what: 'releases' | 'sets'
}

/** One answer for each file, before it perhaps its sets. */
export type FromThread =
  | { set: KeptSet }
  | { release: string; inForce: readonly InForce[] }
  /** `isFault`: the file is at fault; otherwise it could not be read. */
  | { refused: string; isFault: boolean }

/** Bytes of a bundle, which is packed: a hundred times what all committed rates take. */
const MOST_BYTES = 16 * 1024 * 1024

const told = workerData as ToThread
const say = (part: FromThread) => parentPort?.postMessage(part)

for (const file of told.files) {
  try {
    for (const part of await verified(file)) say(part)
  } catch (error) {
    say({ refused: (error as Error).message, isFault: error instanceof ReleaseFault })
  }
}

async function verified(file: string): Promise<FromThread[]> {
  const opened = await readBundle(bytesOf(file), told.keys)
  const { environment, iat, inForce = [] } = opened.claims
  if (told.environment !== undefined && environment !== told.environment)
    throw new ReleaseFault('other_environment', `the bundle is of environment ${environment}`)
  const sets = setsOf(opened)
  const found = { release: opened.content.release, inForce: provenPeriods(inForce, iat) }
  return told.what === 'sets' ? [...sets.map((set) => ({ set })), found] : [found]
}

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  // A named pipe would block a plain open until somebody writes into it.
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(opened)
    if (!stats.isFile()) throw new ReleaseFault('not_readable', 'it is not a regular file')
    if (stats.size > MOST_BYTES)
      throw new ReleaseFault('not_readable', `the file has ${stats.size} bytes, and a bundle at most ${MOST_BYTES}`)
    return new Uint8Array(readFileSync(opened))
  } finally {
    closeSync(opened)
  }
}

/** The sets as they would be kept in a cluster, where the digests of the specs hold. */
function setsOf({ content }: OpenedBundle): KeptSet[] {
  return content.sets.map(({ entry, spec }) => {
    const specText = canonicalJson(spec)
    if (sha256(specText) !== entry.specDigest)
      throw new ReleaseFault('altered', `the rate set ${entry.name} is not the one of its digest`)
    return { entry, entryText: canonicalJson(entry), specText }
  })
}
