import { Worker } from 'node:worker_threads'
import type { InForce } from '#rates/release/in-force.ts'
import type { KeptSet } from '#rates/release/kept-release.ts'
import type { FromThread, ToThread } from './archive-thread.ts'

/** Why a file is not used. `isFault`: the file is at fault; otherwise it could not be read this time. */
export interface Refusal {
  refused: string
  isFault: boolean
}

/** What the thread found a file to be. */
export type Verified = { release: string; inForce: readonly InForce[]; sets: KeptSet[] } | Refusal

/** Memory limit of the thread; all committed rates take a tenth. */
const MEGABYTES = 128
const LONGEST_MS = 120_000

/**
 * Verifies bundles in a thread, away from quotes; the answers are in the order of the files, and `sets` is empty unless
 * they are asked for. A file that ends the thread is refused, and the files after it are verified by another one.
 */
export async function verifyBundles(told: ToThread): Promise<Verified[]> {
  const verified = await inThread(told)
  const at = verified.length
  if (at >= told.files.length) return verified
  const lost = { refused: `it takes more than ${MEGABYTES} MB or ${LONGEST_MS / 1000} s to verify`, isFault: true }
  return [...verified, lost, ...(await verifyBundles({ ...told, files: told.files.slice(at + 1) }))]
}

/** The answers that the thread gave before it ended. */
function inThread(workerData: ToThread): Promise<Verified[]> {
  const verified: Verified[] = []
  if (workerData.files.length === 0) return Promise.resolve(verified)
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(new URL('./archive-thread.ts', import.meta.url), {
    workerData,
    resourceLimits,
    name: 'archive',
  })
  // A stopping process does not wait for it.
  worker.unref()
  const terminate = () => void worker.terminate()
  let expired = setTimeout(terminate, LONGEST_MS).unref()
  let sets: KeptSet[] = []
  return new Promise((resolve) => {
    worker.on('message', (said: FromThread) => {
      if ('set' in said) return void sets.push(said.set)
      verified.push('refused' in said ? said : { ...said, sets })
      sets = []
      clearTimeout(expired)
      expired = setTimeout(terminate, LONGEST_MS).unref()
    })
    // Out of memory; the exit follows.
    worker.on('error', () => undefined)
    worker.on('exit', () => (clearTimeout(expired), resolve(verified)))
  })
}
