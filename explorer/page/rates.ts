import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { ExplorerRates } from '../served.ts'
import { askServer } from './server.ts'

/** The rates, compiled in the browser. */
export interface Rates extends ExplorerRates {
  snapshot: Snapshot
  /** The old side of a comparison, compiled. */
  oldSnapshot: Snapshot | undefined
  /** When the server sent the rates, where it does not answer and they are the copy of an earlier visit. */
  copyOf: Date | undefined
}

/** Reads the rates that the server shows now. Throws TokenRequired, or Error with what the server says. */
export async function readRates(): Promise<Rates> {
  return compiled(await readServed())
}

/** What is done with the answers of the server. */
export interface Follower {
  changed: (rates: Rates) => void
  /** The server answered with the rates that are shown already. */
  unchanged: () => void
  /** The server does not answer with rates; a TokenRequired when it wants another token. */
  failed: (error: Error) => void
}

/** Looks whenever the server has other rates; the result looks at once. */
export function followRates(first: Rates, { changed, unchanged, failed }: Follower): () => Promise<void> {
  let { release } = first
  const look = async (isNew: (served: ExplorerRates) => boolean) => {
    try {
      const served = await readServed()
      if (served.copyOf) return failed(new Error('the server does not answer'))
      if (!isNew(served)) return unchanged()
      ;({ release } = served)
      changed(compiled(served))
    } catch (error) {
      failed(error as Error)
    }
  }
  const lookForRelease = () => look((served) => served.release !== release)
  // An event also tells of faults of the files, which have no release.
  if (first.followEveryMs === undefined) new EventSource('events').addEventListener('rates', () => look(() => true))
  else setInterval(lookForRelease, first.followEveryMs)
  return lookForRelease
}

interface Read extends ExplorerRates {
  copyOf: Date | undefined
}

async function readServed(): Promise<Read> {
  const answer = await askServer('rates.json')
  const isCopy = answer.headers.has('x-copy')
  const copyOf = isCopy ? new Date(answer.headers.get('date') ?? Date.now()) : undefined
  return { ...((await answer.json()) as ExplorerRates), copyOf }
}

function compiled(served: Read): Rates {
  const { release, sets, old } = served
  const oldSnapshot = old && buildSnapshot({ release: old.release, sets: old.sets })
  return { ...served, snapshot: buildSnapshot({ release, sets }), oldSnapshot }
}

/**
 * Keeps the page and its rates for a reload without the server, where the browser can; `look` reads the rates once more
 * after the first visit, because they were read before anything could keep them.
 */
export async function keepForOffline(look: () => Promise<void>): Promise<void> {
  // Browsers have it on https and on this machine alone.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('controllerchange', () => void look())
  await navigator.serviceWorker.register('offline.js')
}
