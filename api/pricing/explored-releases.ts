import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HeldRates } from '../load/held.ts'
import { notReadable, UnknownRelease } from '../releases/refusals.ts'
import type { Releases } from '../releases/releases.ts'
import { isUsable } from '../releases/timeline.ts'

/** The releases as the explorer sees them. */
export interface ExploredReleases {
  /** Those that a curve can be priced with, the newest first; throws `not_ready`. */
  list(rates: HeldRates): { releases: OfferedRelease[] }
  /** The content of a release, gzip of canonical JSON; throws UNKNOWN_RELEASE, `bad_request` or `not_ready`. */
  compressed(release: string, rates: HeldRates): Promise<Buffer>
}

type OfferedRelease = Pick<ReturnType<Releases['list']>[number], 'release' | 'inForce'>

/** Compressed releases that stay in memory, each a few hundred kilobytes. */
const MOST_KEPT = 8
/** Requests for different releases that may wait for one another: a public page is open to everybody. */
const MOST_WAITING = 16

const PATH = '/path/release'
const compress = promisify(gzip)

/** Reads one release after another, so that readers of the page cannot take the cluster's answers from quotes. */
export function createExploredReleases(releases: Pick<Releases, 'list' | 'content'>): ExploredReleases {
  const kept = new Map<string, Promise<Buffer>>()
  let [last, waiting]: [Promise<unknown>, number] = [Promise.resolve(), 0]
  const list = (rates: HeldRates) => releases.list(rates).filter(isUsable)
  const read = async (release: string, rates: HeldRates) => {
    const text = await releases.content(release, rates, PATH).catch((error: unknown) => {
      throw error instanceof UnknownRelease ? new UnknownRelease(PATH, error.why, error.why) : error
    })
    return compress(text)
  }
  const readInTurn = (release: string, rates: HeldRates) => {
    if (waiting >= MOST_WAITING) throw notReadable('Too many earlier releases are being read; try again.')
    waiting += 1
    const bytes = last.then(() => read(release, rates)).finally(() => (waiting -= 1))
    last = bytes.catch(() => undefined)
    return bytes
  }
  return {
    list: (rates) => ({ releases: list(rates).map(({ release, inForce }) => ({ release, inForce })) }),
    compressed: async (release, rates) => {
      // What is not kept, or not any more, is refused at once, also when it was read before.
      if (!list(rates).some((each) => each.release === release)) return read(release, rates)
      const bytes = kept.get(release) ?? readInTurn(release, rates)
      // Asked for last, forgotten last.
      kept.delete(release)
      kept.set(release, bytes)
      bytes.catch(() => kept.get(release) === bytes && kept.delete(release))
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
      return bytes
    },
  }
}
